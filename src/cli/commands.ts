/** All commands, in the order of the overview. */
import { accountCommands } from './accounts.ts';
import { auditCommand } from './audit.ts';
import { backtestCommand } from './backtest.ts';
import { backupCommands } from './backup.ts';
import { type Command, commonFlags } from './command.ts';
import { completionCommand } from './completion.ts';
import { buyingCommands } from './consumer/buying.ts';
import { type ConsumerCommand, consumerFlags } from './consumer/consumer-command.ts';
import { getCommands } from './consumer/get.ts';
import { historyCommand } from './consumer/history.ts';
import { loginCommand } from './consumer/login.ts';
import { mcpCommand } from './consumer/mcp.ts';
import { portfolioCommands } from './consumer/portfolio.ts';
import { searchCommand } from './consumer/search.ts';
import { usageCommand } from './consumer/usage.ts';
import { watchPricesCommand } from './consumer/watch-prices.ts';
import { databaseCommands } from './database.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { importCommand } from './imports/import.ts';
import { importLogCommands } from './imports/import-undo.ts';
import { watchCommand } from './imports/watch.ts';
import { keyCommands } from './keys.ts';
import { minifigCommands } from './minifigs.ts';
import { moveCommand } from './move.ts';
import { noticeCommands } from './notices.ts';
import { reloadCommand } from './reload.ts';
import type { Flags } from './row.ts';
import { scorecardCommand } from './scorecard.ts';
import { serveCommands } from './serve.ts';
import { shareListCommand } from './shares.ts';
import { sourcesCommand } from './sources.ts';
import { syncCommands } from './sync/sync.ts';
import { valueCommands } from './values.ts';
import { openApiCommand, versionCommand } from './version.ts';

export type AnyCommand = Command | ConsumerCommand;

/** Commands for key holders. */
export const consumerCommands: readonly ConsumerCommand[] = [
  loginCommand,
  ...getCommands,
  historyCommand,
  searchCommand,
  ...portfolioCommands,
  watchPricesCommand,
  ...buyingCommands,
  usageCommand,
  mcpCommand,
];

export const commands: readonly Command[] = [
  ...serveCommands,
  importCommand,
  ...importLogCommands,
  watchCommand,
  ...syncCommands,
  exportCommand,
  ...valueCommands,
  explainCommand,
  sourcesCommand,
  ...minifigCommands,
  scorecardCommand,
  backtestCommand,
  ...accountCommands,
  ...keyCommands,
  ...noticeCommands,
  shareListCommand,
  auditCommand,
  ...backupCommands,
  moveCommand,
  ...databaseCommands,
  healthCommand,
  reloadCommand,
  openApiCommand,
  completionCommand(() => allCommands.map((each) => ({ ...each, flags: flagsOf(each) }))),
  versionCommand,
];

/** A command comes before those whose names start with its own. */
export const allCommands: readonly AnyCommand[] = [...consumerCommands, ...commands];

export function isForConsumers(command: AnyCommand): command is ConsumerCommand {
  return 'audience' in command;
}

export function commonFlagsOf(command: AnyCommand): Flags {
  return isForConsumers(command) ? consumerFlags : commonFlags;
}

export function flagsOf(command: AnyCommand): Flags {
  return { ...command.flags, ...commonFlagsOf(command) };
}
