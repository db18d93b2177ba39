/** `account …`: the people who use the service. */

import { addAccount, hashPassword } from '../accounts/accounts.ts';
import { makeResetLink, resetLinkMs } from '../accounts/sign-in.ts';
import { emailProblem, noAccount } from '../domain/account/email.ts';
import { passwordProblem } from '../domain/account/password.ts';
import { type Plan, plans } from '../domain/account/quota.ts';
import { dayText, momentText } from '../domain/kernel/format.ts';
import { formatDay, formatInstant } from '../domain/kernel/time.ts';
import { type Command, CommandError, type Context, takeWords, UsageError } from './command.ts';
import { readHidden } from './hidden-input.ts';
import { table } from './table.ts';
import { withExistingStore, withStore } from './with-store.ts';

/** All commands about accounts. */
export const accountCommands: readonly Command[] = [
  {
    name: 'account add',
    operands: 'EMAIL',
    summary: 'Create an account',
    flags: {
      plan: { help: 'free (default) or reseller; API calls need reseller', value: 'PLAN' },
      operator: { help: 'Give access to the operator pages' },
      'password-stdin': { help: 'Read the password from standard input' },
    },
    run: async (args, context) => {
      const [email = ''] = takeWords(args, ['EMAIL']);
      const problem = emailProblem(email);
      if (problem) throw new UsageError(problem);
      const plan = readPlan(String(args.flags.plan ?? 'free'));
      const isOperator = args.flags.operator === true;
      const password = args.flags['password-stdin'] ? await goodPassword(context, email) : null;
      await withStore(context, async ({ accounts }) => {
        const at = context.config.clock();
        const account = await addAccount(accounts, { email, plan, isOperator, password, at });
        if (!account)
          throw new CommandError(`An account with the email '${email}' already exists.`);
        const hint =
          password === null ? ` Set a password with: brickmark account password ${email}` : '';
        context.result(
          { account_id: account.id, email: account.email, plan: account.plan },
          `Account ${account.id} (${account.email}) is on the ${account.plan} plan.${hint}`,
        );
      });
    },
  },
  {
    name: 'account plan',
    operands: 'EMAIL PLAN',
    summary: 'Change the plan of an account: free or reseller',
    flags: {},
    run: async (args, context) => {
      const [email = '', word = ''] = takeWords(args, ['EMAIL', 'PLAN']);
      const plan = readPlan(word);
      await withExistingStore(context, async ({ accounts }) => {
        if (!(await accounts.setPlan(email, plan))) throw unknownAccount(email);
        context.result({ email, plan }, `${email} is now on the ${plan} plan.`);
      });
    },
  },
  {
    name: 'account password',
    operands: 'EMAIL',
    summary: 'Set a password, typed or from standard input',
    flags: { link: { help: 'Print a link for the owner to set a new password' } },
    run: async (args, context) => {
      const [email = ''] = takeWords(args, ['EMAIL']);
      if (args.flags.link === true) return printResetLink(email, context);
      await withExistingStore(context, async ({ accounts }) => {
        if (!(await accounts.findAccount(email, context.config.clock())))
          throw unknownAccount(email);
        const hash = await hashPassword(await goodPassword(context, email));
        if (!(await accounts.setPassword(email, hash))) throw unknownAccount(email);
        context.result(
          { email },
          `Password of ${email} changed. All its sessions and password links are revoked.`,
        );
      });
    },
  },
  {
    name: 'account remove',
    operands: 'EMAIL',
    summary: 'Delete an account with its keys, collections and sales',
    flags: {},
    run: async (args, context) => {
      const [email = ''] = takeWords(args, ['EMAIL']);
      await withExistingStore(context, async ({ accounts }) => {
        if (!(await accounts.removeAccount(email))) throw unknownAccount(email);
        context.result({ email, removed: true }, `${email} and all its data are deleted.`);
      });
    },
  },
  {
    name: 'account list',
    operands: '',
    summary: 'List accounts',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withExistingStore(context, async ({ accounts }) => {
        const list = await accounts.listAccounts(context.config.clock());
        const json = list.map((account) => ({
          account_id: account.id,
          email: account.email,
          plan: account.plan,
          operator: account.isOperator,
          active_keys: account.activeKeys,
          created_at: new Date(account.createdAt).toISOString(),
        }));
        const rows = list.map((a) => [
          a.id,
          a.email,
          a.plan,
          a.isOperator ? 'yes' : '',
          a.activeKeys,
          dayText(formatDay(a.createdAt)),
        ]);
        const heading = ['ID', 'EMAIL', 'PLAN', 'OPERATOR', 'KEYS', 'CREATED'];
        context.result(
          { accounts: json },
          list.length > 0
            ? table(heading, rows)
            : "No accounts yet. Create one with 'brickmark account add EMAIL'.",
        );
      });
    },
  },
];

/** A link for somebody who forgot the password. Whoever has it can set one. */
async function printResetLink(email: string, context: Context): Promise<void> {
  const { clock, baseUrl } = context.config;
  const at = clock();
  await withExistingStore(context, async ({ accounts }) => {
    const token = await makeResetLink({ accounts, randomBytes: context.randomBytes }, email, at);
    if (token === null) throw unknownAccount(email);
    const link = `${baseUrl ?? ''}/password/${token}`;
    const until = at + resetLinkMs;
    if (baseUrl === null) {
      context.say("Add your site's address in front, or set BRICKMARK_BASE_URL.");
    }
    context.result(
      { email, link, expires_at: formatInstant(until) },
      `${link}\nThe link works once, until ${momentText(until)}. Earlier links no longer work.`,
    );
  });
}

function readPlan(word: string): Plan {
  const plan = plans.find((candidate) => candidate === word);
  if (!plan) throw new UsageError(`PLAN must be ${plans.join(' or ')}, not '${word}'.`);
  return plan;
}

async function goodPassword(context: Context, email: string): Promise<string> {
  const password = await readHidden(context, 'Password: ');
  const problem = passwordProblem(password, email);
  if (problem) throw new UsageError(problem);
  return password;
}

function unknownAccount(email: string): CommandError {
  return new CommandError(
    `There is ${noAccount(email)}. Run 'brickmark account list' to see all accounts.`,
  );
}
