/** Completion scripts, run in the installed shells. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkplace } from '../support/cli.ts';

/** The line up to the cursor, and the expected candidates. */
const completions: readonly (readonly [line: string, candidates: string[]])[] = [
  ['brickmark acc', ['account']],
  [
    'brickmark account ',
    [
      'add',
      'invite',
      'plan',
      'role',
      'password',
      'reset-factor',
      'remove',
      'restore',
      'export',
      'list',
    ],
  ],
  ['brickmark account a', ['add']],
  ['brickmark account plan a@example.com ', ['free', 'reseller']],
  ['brickmark account add --p', ['--plan', '--password-stdin']],
  ['brickmark account add a@example.com --plan r', ['reseller']],
  ['brickmark --data /tmp account plan a@example.com f', ['free']],
  ['brickmark history --condition ', ['sealed', 'used']],
  ['brickmark history s', ['seal']],
  ['brickmark export sales --account a@example.com --format ', ['csv', 'json', 'ghostfolio']],
  ['brickmark import rebr', ['rebrickable']],
  ['brickmark import u', ['undo']],
  ['brickmark watch --ch', ['--changed']],
  ['brickmark completion ', ['bash', 'zsh', 'fish']],
  ['brickmark account add a@example.com ', []],
];

/** Shell code that prints the candidates for the line in $1. */
const drivers = {
  bash: `source "$2"
    read -ra COMP_WORDS <<< "$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _brickmark
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  // zsh has no completion without a terminal, so these functions replace its own.
  zsh: `compdef() { }
    compadd() {
      shift
      for each in "$@"; do [[ $each == "\${words[CURRENT]}"* ]] && print -r -- "$each"; done
    }
    _files() { }
    source "$2"
    words=("\${(@s: :)1}")
    CURRENT=\${#words}
    _brickmark`,
  fish: `source $argv[2]; complete -C $argv[1] | string replace -r '\\t.*' ''`,
} as const;

const installed = (['bash', 'zsh', 'fish'] as const).filter((shell) => Bun.which(shell) !== null);

test.each(installed)('%s completes commands, subcommands, flags and choices', async (shell) => {
  const place = makeWorkplace();
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-completion-'));
  try {
    const { status, stdout } = await place.run(['completion', shell]);
    expect(status).toBe(0);
    const path = join(folder, 'script');
    writeFileSync(path, stdout);
    for (const [line, candidates] of completions) {
      const name = shell === 'fish' ? [] : [shell];
      const ran = Bun.spawnSync([shell, '-c', drivers[shell], ...name, line, path], {
        cwd: folder,
      });
      expect(ran.stderr.toString()).toBe('');
      const found = ran.stdout.toString().split('\n').filter(Boolean);
      // Without candidates, shells offer files.
      const files = candidates.length === 0 && shell === 'fish' ? ['script'] : candidates;
      expect([line, found.sort()]).toEqual([line, [...files].sort()]);
    }
  } finally {
    rmSync(folder, { recursive: true });
    await place.close();
  }
});
