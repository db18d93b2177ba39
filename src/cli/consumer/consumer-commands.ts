/** Every command for key holders, in the order in which the overview shows them. */
import { buyingCommands } from './buying.ts';
import type { ConsumerCommand } from './consumer-command.ts';
import { getCommands } from './get.ts';
import { historyCommand } from './history.ts';
import { loginCommand } from './login.ts';
import { mcpCommand } from './mcp.ts';
import { portfolioCommands } from './portfolio.ts';
import { searchCommand } from './search.ts';
import { usageCommand } from './usage.ts';
import { watchPricesCommand } from './watch-prices.ts';

/** All of them; a command comes before those whose names begin with its own. */
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
