/** What operators of PostgreSQL need besides: the schema, the upkeep alone, and the roles. */
import { rolesSql } from '../store/postgres/roles.ts';
import { type Command, CommandError, flagText, takeWords, UsageError } from './command.ts';
import { withStore } from './with-store.ts';

/** All of these commands. */
export const databaseCommands: readonly Command[] = [
  {
    name: 'migrate',
    operands: '',
    summary: 'brings the schema of the store up to date; every command does so when it may',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withStore(context, async () => {});
      context.result({ status: 'ok' }, 'The schema is up to date.');
    },
  },
  {
    name: 'upkeep',
    operands: '',
    summary: 'republishes what is due, without serving; for servers whose role may not publish',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withStore(
        context,
        async (store) => {
          if (!(await store.mayPublish())) {
            throw new CommandError(
              "The database role may not publish; use the one that 'brickmark roles' makes for it.",
            );
          }
          const stop = context.startUpkeep(store);
          context.say('Keeping documents current (end it with Ctrl-C).');
          await context.untilAskedToEnd();
          await stop();
        },
        { isServing: true },
      );
    },
  },
  {
    name: 'roles',
    operands: '',
    summary: 'prints the SQL for PostgreSQL roles that may do no more than they need',
    flags: { prefix: { help: 'how their names begin (default brickmark)', value: 'NAME' } },
    run: async (args, context) => {
      takeWords(args, []);
      const prefix = flagText(args, 'prefix') ?? 'brickmark';
      if (!/^[a-z][a-z0-9_]{0,40}$/.test(prefix)) {
        throw new UsageError('--prefix is made of small letters, digits and _, at most 41.');
      }
      const sql = rolesSql(prefix);
      context.result({ sql }, sql);
    },
  },
];
