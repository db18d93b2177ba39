"""Prints what you hold and what it is worth."""

import os
import sys

from brickmark import Brickmark, BrickmarkError

with Brickmark(os.environ["BRICKMARK_URL"], os.environ["BRICKMARK_KEY"]) as brickmark:
    try:
        count = 0
        for entry in brickmark.all.list_entries():
            value, gain = entry["total_current_value_usd"], entry["unrealized_gain_loss_pct"]
            print(f"{entry['quantity']} x {entry['title']}: ${value:.2f} ({gain:.2f}%)")
            count += 1
        budget = brickmark.budget
        print(f"{count} holdings. {budget.remaining if budget else '?'} calls remain today.")
    except BrickmarkError as error:
        sys.exit(f"{error.status} {error.code}: {error}")
