/** Prints what you hold and what it is worth. */
import { Brickmark, BrickmarkError } from 'brickmark-client';

const { BRICKMARK_URL = '', BRICKMARK_KEY = '' } = process.env;
const brickmark = new Brickmark({ url: BRICKMARK_URL, key: BRICKMARK_KEY });

try {
  let count = 0;
  for await (const entry of brickmark.all.listEntries()) {
    const value = entry.total_current_value_usd.toFixed(2);
    const gain = entry.unrealized_gain_loss_pct.toFixed(2);
    console.log(`${entry.quantity} x ${entry.title}: $${value} (${gain}%)`);
    count += 1;
  }
  console.log(`${count} holdings. ${brickmark.budget?.remaining} calls remain today.`);
} catch (error) {
  if (!(error instanceof BrickmarkError)) throw error;
  console.error(`${error.status} ${error.code}: ${error.message}`);
  process.exitCode = 1;
}
