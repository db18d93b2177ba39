/** `completion`: shell completion of commands, subcommands, flags and choices. */
import { type Command, command } from './command.ts';
import type { CommandSummary } from './row.ts';

type CompletedCommand = Omit<CommandSummary, 'summary'>;

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function completionCommand(listCommands: () => readonly CompletedCommand[]): Command {
  return command({
    name: 'completion',
    operands: { shell: { choices: shells } },
    summary: 'Print a script that completes commands, flags and their values in a shell',
    run: async ({ shell }, context) => {
      const script = wrappers[shell](candidatesFunction(listCommands()));
      context.result({ shell, script }, script);
    },
  });
}

/** Each runs the same function with the typed words; without candidates, the shell offers files. */
const wrappers: Readonly<Record<Shell, (candidates: string) => string>> = {
  bash: (candidates) => `${candidates}

_brickmark() {
  local IFS=$'\\n' found
  found=$(_brickmark_candidates "\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _brickmark brickmark`,
  zsh: (candidates) => `#compdef brickmark
${candidates}

_brickmark() {
  local -a found
  found=("\${(@f)$(_brickmark_candidates "\${(@)words[2,CURRENT]}")}")
  if [[ -n "$found" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _brickmark brickmark`,
  fish: (candidates) => `function __brickmark_candidates
    set -l script '${fishQuoted(candidates)}
_brickmark_candidates "$@"'
    set -l words (commandline -opc) (commandline -ct)
    set -l found (sh -c $script sh $words[2..])
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c brickmark -f -a '(__brickmark_candidates)'`,
};

function fishQuoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}

/**
 * A function for any POSIX shell. Its last argument is the word to complete, the others are the
 * words before it; it prints one candidate per line.
 */
function candidatesFunction(commands: readonly CompletedCommand[]): string {
  const names = [...new Set(commands.map(({ name }) => name))];
  const valueFlags = commands.flatMap(({ flags }) =>
    Object.keys(flags).filter((flag) => flags[flag]?.value !== undefined),
  );
  return `_brickmark_candidates() {
  local command= flag= operands=0
  while [ $# -gt 1 ]; do
    case "$flag $1" in
      --*' =') ;;
      --*) flag= ;;
      ${patterns(valueFlags.map((flag) => ` --${flag}`))}) flag=$1 ;;
      ' -'?*) ;;
      *)
        case "$command $1" in
          ${patterns(names.filter((name) => name.includes(' ')))}) command="$command $1" ;;
          ' '*) command=$1 ;;
          *) operands=$((operands + 1)) ;;
        esac ;;
    esac
    shift
  done
  case "$flag $1" in
    --*) case "$command $flag" in
${branches(flagChoices(commands))}
    esac ;;
    ' -'*) case "$command" in
${branches(Map.groupBy(commands.flatMap(listFlags), ([name]) => name))}
    esac ;;
    *) case "$command $operands" in
${branches(wordChoices(commands, names))}
    esac ;;
  esac
}`;
}

/** The words typed so far, and a candidate for the next one. */
type Candidate = readonly [typed: string, candidate: string];
type Candidates = ReadonlyMap<string, readonly Candidate[]>;

function listFlags({ name, flags }: CompletedCommand): Candidate[] {
  return Object.keys(flags).map((flag) => [name, `--${flag}`]);
}

function flagChoices(commands: readonly CompletedCommand[]): Candidates {
  const found = commands.flatMap(({ name, flags }) =>
    Object.entries(flags).flatMap(([flag, { choices = [] }]) =>
      choices.map((choice): Candidate => [`${name} --${flag}`, choice]),
    ),
  );
  return Map.groupBy(found, ([typed]) => typed);
}

/** Names of commands, subcommands and choices of operands, by the number of operands so far. */
function wordChoices(commands: readonly CompletedCommand[], names: readonly string[]): Candidates {
  const words = names.map((name): Candidate => {
    const [first, second] = name.split(' ');
    return second === undefined ? [' 0', name] : [`${first} 0`, second];
  });
  const groups = names.map((name): Candidate => [' 0', name.replace(/ .*/, '')]);
  const choices = commands.flatMap(({ name, operands }) =>
    Object.values(operands).flatMap(({ choices: all = [] }, index) =>
      all.map((choice): Candidate => [`${name} ${index}`, choice]),
    ),
  );
  return Map.groupBy([...groups, ...words, ...choices], ([typed]) => typed);
}

function branches(candidates: Candidates): string {
  return [...candidates]
    .map(([typed, all]) => {
      const words = [...new Set(all.map(([, candidate]) => candidate))];
      return `      '${typed}') printf '%s\\n' ${words.join(' ')} ;;`;
    })
    .join('\n');
}

function patterns(words: readonly string[]): string {
  return [...new Set(words)].map((word) => `'${word}'`).join(' | ');
}
