"""Computes max buy prices and box bids from responses of the API, to the cent.

    python3 recompute.py 4639               a sealed set
    python3 recompute.py 4639 --used        a used one
    python3 recompute.py 4639 16287*3       a box: one sealed set, and three of another
    python3 recompute.py --stdin            questions as lines of JSON, answers likewise
"""

import json
import math
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from datetime import date, timedelta

CHANNELS = "ebay bricklink brick_owl amazon fba walmart facebook mercari whatnot local".split()
NORMAL = [0, -0.1257, -0.2533, -0.3853, -0.5244, -0.6745, -0.8416, -1.0364, -1.2816, -1.6449]
SIDES = ("width_in", "height_in", "depth_in")
SHARES = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]


def cents(usd):
    return None if usd is None else half_up(usd * 100)


def half_up(number):
    return math.floor(number + 0.5)


def part(amount, percent):
    """A percentage of an amount in cents. Percentages have at most two decimals."""
    return half_up(amount * half_up(percent * 100) / 10_000)


def in_effect(rows, day):
    """The latest row up to a day; the first one also applies before it."""
    return ([row for row in rows if row["from"] <= day] or rows[:1])[-1]


# 1. Price


def quantile(quantiles, share):
    """Linear between two shares."""
    after = next((i for i, q in enumerate(quantiles) if q["share"] >= share), len(quantiles) - 1)
    low, high = quantiles[max(0, after - 1)], quantiles[after]
    if low is high or quantiles[after]["share"] < share:
        return high["quantile"]
    step = (share - low["share"]) / (high["share"] - low["share"])
    return low["quantile"] + (high["quantile"] - low["quantile"]) * step


def price_at(unit, channel, share):
    """What the buyer pays, delivered and before tax, in this share of sales or more."""
    terms, there = unit["terms"], unit["channels"][channel]
    spread = math.hypot(terms["value_spread"], terms["sale_spread"])
    lowered = quantile(terms["quantiles"], share) * spread
    price = half_up(unit["level"] * math.exp(there["offset"] + lowered))
    return min(price, cents(there["price_max_usd"]) or price)


# 2. Fees


def base_of(fees, base, price, shipping):
    if base == "items":
        return max(price - shipping, 0)
    return price + (part(price, fees["sales_tax_percent"]) if base == "with_tax" else 0)


def platform_fees(fees, platform, price, shipping):
    rows = [row for row in fees["platforms"] if row["platform"] == platform]
    if not rows or price == 0:
        return 0
    row = in_effect(rows, fees["date"])
    base = base_of(fees, row["base"], price, shipping)
    total, start = 0, 0
    for step in row["steps"]:
        end = min(base, cents(step["up_to_usd"]) or base)
        total += max(0, end - start) * half_up(step["percent"] * 100)
        start = max(start, end)
    order = [o for o in row["per_order"] if base <= (cents(o["up_to_usd"]) or base)][:1]
    charged = half_up(total / 10_000) + sum(cents(o["fee_usd"]) for o in order)
    charged = max(charged, cents(row["minimum_usd"]))
    for payment in row["payments"][:1]:
        paid = base_of(fees, payment["base"], price, shipping)
        charged += part(paid, payment["percent"]) + cents(payment["fee_usd"])
    return charged


def fba_size(schedule, box):
    """The first size that a box fits, its row, and the weight in ten-thousandths of a pound."""
    if not all(box[side] for side in (*SIDES, "weight_lbs")):
        return None
    sides = [half_up(box[side] * 1000) for side in SIDES]
    shortest, median, longest = sorted(sides)
    for size in schedule["sizes"]:
        limits = (
            (longest, "longest_in"),
            (median, "median_in"),
            (shortest, "shortest_in"),
            (longest + 2 * (median + shortest), "length_and_girth_in"),
        )
        if any(size[name] is not None and side > size[name] * 1000 for side, name in limits):
            continue
        weight = half_up(box["weight_lbs"] * 10_000)
        least = size["volume_side_min_in"]
        if least is not None:
            volume = longest * max(median, least * 1000) * max(shortest, least * 1000)
            per_unit = schedule["cubic_inches_per_pound"] * 1000**3 / 10_000
            weight = max(weight, math.ceil(volume / per_unit))
        for row in size["rows"]:
            if row["up_to_oz"] is None or weight <= row["up_to_oz"] * 625:
                return size, row, weight
    return None


def fba_fees(fees, box, price, days):
    """Referral, fulfillment and storage; None if the box is unknown."""
    schedule = in_effect(fees["fba"], fees["date"])
    found = fba_size(schedule, box)
    if found is None:
        return None
    size, row, weight = found
    referral = max(part(price, schedule["referral_percent"]), cents(schedule["referral_minimum_usd"]))
    if price < cents(schedule["middle_price_from_usd"]):
        fee = cents(row["low_price_usd"])
    elif price <= cents(schedule["middle_price_to_usd"]):
        fee = cents(row["middle_price_usd"])
    else:
        fee = cents(row["high_price_usd"])
    step = size["step"]
    if step:
        begun = math.ceil((weight - step["above_oz"] * 625) / (step["every_oz"] * 625))
        fee += max(0, begun) * cents(step["usd"])
    fee += part(fee, schedule["surcharge_percent"])
    day = fees["date"][5:]
    if day >= schedule["peak_from"] or day <= schedule["peak_to"]:
        rows = [r for r in size["peak"] if r["up_to_oz"] is None or weight <= r["up_to_oz"] * 625]
        fee += cents((rows or size["peak"][-1:])[0]["usd"])
    return referral + fee + storage(fees, box, size["standard_size"], days)


def storage(fees, box, is_standard, days):
    """From today until it is sold, by calendar month; with surcharges on each 15th."""
    inches = math.prod(half_up(box[side] * 1000) for side in SIDES) / 1000**3
    first = date.fromisoformat(fees["date"])
    end = first + timedelta(days=min(half_up(days), 3650))
    total, day = 0.0, first
    while day < end:
        start = day.replace(day=1)
        following = (start + timedelta(days=31)).replace(day=1)
        until = min(following, end)
        schedule = in_effect(fees["fba_storage"], day.isoformat())
        season = "october_to_december" if day.month >= 10 else "january_to_september"
        rate = cents(schedule[season]["standard_size_usd" if is_standard else "larger_usd"])
        total += rate * inches / 1728 * (until - day).days / (following - start).days
        fifteenth = start.replace(day=15)
        if day <= fifteenth < until:
            age = (fifteenth - first).days
            for aged in [a for a in schedule["aged"] if a["from_day"] <= age][-1:]:
                total += max(cents(aged["usd"]) * inches / 1728, cents(aged["minimum_usd"]))
        day = until
    return half_up(total)


# 3. Shipping


def postage(fees, box, pieces):
    table = in_effect(fees["postage"], fees["date"])
    if box["weight_lbs"]:
        volume = 1.0
        for side in SIDES:
            volume *= box[side] or 0
        weight = math.ceil(100 * max(box["weight_lbs"], volume / table["cubic_inches_per_pound"]))
    else:
        grown = max(pieces or 0, 1) ** table["pieces_power"]
        weight = math.ceil(100 * table["pieces_factor"] * grown)
    weight += cents(table["packing_lbs"])
    packing = cents(table["packing_usd"])
    for rate in table["rates"]:
        if weight <= cents(rate["up_to_lbs"]):
            return cents(rate["usd"]) + packing
    last = table["rates"][-1]
    more = math.ceil((weight - cents(last["up_to_lbs"])) / 100)
    return cents(last["usd"]) + more * cents(table["above_per_lb_usd"]) + packing


# 4. Net


def net_of(fees, unit, channel, price, days):
    """Fees, shipping and what is left; None if FBA needs a box size that is unknown."""
    if channel == "fba":
        charged, shipping = fba_fees(fees, unit["box"], price, days or 0), 0
        if charged is None:
            return None
    else:
        shipping = 0 if channel == "local" else postage(fees, unit["box"], unit["pieces"])
        charged = platform_fees(fees, channel, price, min(shipping, price))
    return {"fees": charged, "postage": shipping, "net": price - charged - shipping}


# 5. Max buy price


def needed(fees, price, margin_pct, days):
    """What the sale must net if the unit is bought at a price."""
    costs = fees["buying_costs"]
    cashback = math.floor(price * half_up(costs["cashback_percent"] * 100) / 10_000)
    cost = price + part(price, costs["sales_tax_percent"]) - cashback + cents(costs["inbound_usd"])
    capital = half_up(costs["cost_of_capital_percent"] * 100)
    money = half_up(cost * capital * half_up(days or 0) / (10_000 * 365))
    return math.ceil(cost * (10_000 + half_up(margin_pct * 100)) / 10_000) + money


def max_buy(fees, net, margin_pct, days):
    """The highest price in cents that leaves the margin; None if even 0 is too much."""
    if net < needed(fees, 0, margin_pct, days):
        return None
    low, high = 0, 1
    while needed(fees, high, margin_pct, days) <= net:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(fees, middle, margin_pct, days) <= net else (low, middle)
    return low


# 6. Time to sell


def wait_days(fees, unit, channel, nth=1):
    """Median days until the nth unit of one seller is sold; None if unknown."""
    rate, queue = unit["terms"]["rate"], unit["channels"][channel]["queue"]
    if rate is None:
        return None
    sales = rate["prior_sales"] + rate["counted_sales"]
    days = rate["prior_days"] + rate["days"] * rate["season_index"]
    rivals = queue["rivals"]
    if rivals is None:
        per_month = sales / days * (365.25 / 12)
        rivals = queue["supply_months"] * per_month * queue["sales_share"]
    buyers = 1 if unit["cheapest"].get(channel, queue["cheapest"]) else rivals + 1
    first = days * (2 ** (1 / sales) - 1) * buyers
    more = nth - 1 + (buyers - 1) * math.log(nth)
    return in_season(fees, unit["season"], (first + more * (days / sales)) / queue["sales_share"])


def in_season(fees, season, days):
    """Days of an average season as days of the calendar."""
    if season is None:
        return days
    years = math.floor(days / 365.25) * 365.25
    left, first = days - years, date.fromisoformat(fees["date"])
    day = first
    while True:
        following = (day.replace(day=1) + timedelta(days=31)).replace(day=1)
        busy = season[day.month - 1]
        if (following - day).days * busy >= left:
            return years + (day - first).days + left / busy
        left -= (following - day).days * busy
        day = following


# 7. Answers


def unit_of(item):
    """A unit from the evidence, the item's record, and its grade if it has one."""
    condition, evidence, record = item["condition"], item["evidence"], item.get("record") or {}
    terms = evidence[condition]["terms"]
    if terms is None:
        return None
    grade = item.get("grade_value_pct", 100)
    scaled = lambda amount: half_up(amount * (grade / 100))
    empty = {"width_in": None, "height_in": None, "depth_in": None, "weight_lbs": None}
    value = cents(evidence[condition]["value_usd"])
    return {
        "terms": terms,
        "channels": {row["channel"]: row for row in terms["channels"]},
        "cheapest": item.get("cheapest", {}),
        "season": evidence["season"],
        "level": scaled(cents(terms["level_usd"])),
        "value": scaled(value),
        "low": scaled(cents(evidence[condition]["range"]["low"])),
        "high": scaled(cents(evidence[condition]["range"]["high"])),
        # A used set may have no box.
        "box": record.get("box", empty) if condition == "sealed" else empty,
        "pieces": record.get("pieces"),
        "theme": record.get("theme"),
        "quantity": item.get("quantity", 1),
        "is_modeled": terms["data_tier"] == "modeled",
    }


def quote(fees, unit, channel, share, margin_pct):
    price, days = price_at(unit, channel, share), wait_days(fees, unit, channel)
    sale = net_of(fees, unit, channel, price, days)
    if sale is None:
        return None
    bid = None if unit["is_modeled"] else max_buy(fees, sale["net"], margin_pct, days)
    return {"channel": channel, "price": price, **sale, "max_buy": bid, "days": days}


def answer_max_buy(asked):
    """The max buy price of a unit in every channel, or in the one that is asked for."""
    fees, unit = asked["fees"], unit_of(asked["items"][0])
    if unit is None:
        return {"best": None, "channels": []}
    channels = [asked["channel"]] if asked.get("channel") else CHANNELS
    quotes = [quote(fees, unit, c, asked["share"], asked["margin_pct"]) for c in channels]
    quotes = [q for q in quotes if q is not None]
    known = [q for q in quotes if q["max_buy"] is not None]
    if not asked.get("channel"):
        known = [q for q in known if not unit["channels"][q["channel"]]["assumed"]]
    best = max(known, key=lambda q: (q["max_buy"], q["net"]), default=None)
    return {"best": best and best["channel"], "channels": quotes}


# 8. Boxes


def shape_of(fees, units, channel):
    """The median and the spread (log) of what the units sell for in total."""
    mean = variance = 0.0
    groups = {}
    for unit in units:
        terms, quantity = unit["terms"], unit["quantity"]
        days = wait_days(fees, unit, channel, (quantity + 1) / 2) or 0
        years = min(2, days / 365.25)
        tail = max(0.8, -terms["quantiles"][-1]["quantile"] / 1.6449)
        v = (tail * terms["value_spread"]) ** 2 + (0.05**2 + 0.05**2 + 0.1**2) * years
        s = (tail * terms["sale_spread"]) ** 2
        growth = terms["growth_per_year"]
        growth = (0.05 if growth is None else growth) * years
        each = math.exp(math.log(unit["level"]) + growth + (v + s) / 2)
        mean += quantity * each
        alone = math.exp(v) * math.expm1(s)
        variance += each**2 * (quantity**2 * math.expm1(v) + quantity * alone)
        for group in ("all", unit["theme"] and "theme " + unit["theme"]):
            if group is not None:
                groups.setdefault(group, []).append((quantity * each, years))
    # Pairs of items share an error of 0.02 today and of 0.05 per root of a year.
    for members in groups.values():
        now = sum(m for m, _ in members) ** 2 - sum(m**2 for m, _ in members)
        later = [m * math.sqrt(years) for m, years in members]
        pairs = sum(later) ** 2 - sum(m**2 for m in later)
        variance += 0.02**2 * now + 0.05**2 * pairs
    spread = math.sqrt(math.log1p(variance / mean**2))
    return math.log(mean) - spread**2 / 2, spread


def sell_all(fees, units, channel, prices):
    """Net and average wait of all units that leave something; None if FBA lacks a size."""
    total = waited = 0
    for unit, price in zip(units, prices):
        days = wait_days(fees, unit, channel, (unit["quantity"] + 1) / 2)
        sale = net_of(fees, unit, channel, price, days)
        if sale is None:
            return None
        if sale["net"] > 0:
            total += unit["quantity"] * sale["net"]
            waited += unit["quantity"] * sale["net"] * (days or 0)
    return total, None if total == 0 else waited / total


def box_prices(fees, units, channel, share):
    """Prices of the units that the whole box exceeds in the given share of cases."""
    if sum(unit["quantity"] for unit in units) == 1:
        return [price_at(unit, channel, share) for unit in units]
    normal = [{"share": s, "quantile": q} for s, q in zip(SHARES, NORMAL)]
    lowered = math.exp(quantile(normal, share) * shape_of(fees, units, channel)[1])
    return [half_up(lowered * price_at(unit, channel, 0.5)) for unit in units]


def answer_box(asked):
    """Range, max bid and profit of a box, and the cost of each item."""
    fees, units = asked["fees"], [unit_of(item) for item in asked["items"] if item["evidence"]]
    units = [unit for unit in units if unit is not None]
    bid_on = [unit for unit in units if not unit["is_modeled"]]
    best = None
    for channel in CHANNELS if bid_on else []:
        if any(unit["channels"][channel]["assumed"] for unit in bid_on):
            continue
        prices = box_prices(fees, bid_on, channel, asked["share"])
        sold = sell_all(fees, bid_on, channel, prices)
        if sold is None:
            continue
        net, days = sold
        bid = None if net == 0 else max_buy(fees, net, asked["margin_pct"], days)
        rank = (-1 if bid is None else bid, net)
        if best is None or rank > best[0]:
            best = rank, channel, bid
    channel = best[1] if best else "ebay"
    profit = None
    if best and asked.get("cost_usd") is not None:
        half = [price_at(unit, channel, 0.5) for unit in bid_on]
        profit = sell_all(fees, bid_on, channel, half)[0] - cents(asked["cost_usd"])
    low, median, high = range_of(fees, units, channel)
    return {
        "sum": sum(unit["quantity"] * unit["value"] for unit in units),
        "low": low,
        "median": median,
        "high": high,
        "max_bid": best and best[2],
        "best": channel if best and best[2] is not None else None,
        "profit": profit,
        "costs": costs_of(asked),
    }


def range_of(fees, units, channel):
    if not units:
        return None, None, None
    if sum(unit["quantity"] for unit in units) == 1:
        return units[0]["low"], price_at(units[0], "ebay", 0.5), units[0]["high"]
    log, spread = shape_of(fees, units, channel)
    return tuple(half_up(math.exp(log + away * spread)) for away in (-1.2816, 0, 1.2816))


def costs_of(asked):
    """By value, else by list price, else by the average; the largest remainders get a cent."""
    if asked.get("cost_usd") is None:
        return None
    found = [item for item in asked["items"] if item["evidence"]]
    known = []
    for item in found:
        unit = unit_of(item)
        listed = cents((item.get("record") or {}).get("msrp_usd"))
        known.append(unit["value"] if unit else listed)
    given = [amount for amount in known if amount is not None]
    mean = half_up(sum(given) / len(given)) if given else 1
    weights = [
        item.get("quantity", 1) * (mean if amount is None else amount)
        for item, amount in zip(found, known)
    ]
    if sum(weights) == 0:
        weights = [1] * len(weights)
    cost, total = cents(asked["cost_usd"]), sum(weights)
    shares = [cost * weight // total for weight in weights]
    rest = sorted(range(len(weights)), key=lambda i: -(cost * weights[i] % total))
    for index in rest[: cost - sum(shares)]:
        shares[index] += 1
    costs = iter(shares)
    return [next(costs) if item["evidence"] else None for item in asked["items"]]


def answer(asked):
    return answer_max_buy(asked) if asked["type"] == "max_buy" else answer_box(asked)


# From the command line


def get(path):
    request = urllib.request.Request(
        os.environ["BRICKMARK_URL"].rstrip("/") + path,
        headers={"Authorization": "Bearer " + os.environ["BRICKMARK_KEY"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.status}: {json.load(error)['error']['message']}") from None


def ask_for(word, condition):
    number, _, quantity = word.partition("*")
    path = "/set/" + urllib.parse.quote(number, safe="")
    return {
        "condition": condition,
        "quantity": int(quantity or 1),
        "evidence": get("/api/plus/v1" + path + "/evidence"),
        "record": get("/api/v1" + path),
    }


def main(words):
    if words == ["--stdin"]:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)
        return
    numbers = [word for word in words if word != "--used"]
    if not numbers or any(number.startswith("-") for number in numbers):
        raise SystemExit(__doc__)
    condition = "used" if "--used" in words else "sealed"
    items = [ask_for(number, condition) for number in numbers]
    fees = get("/api/plus/v1/fees")
    asked = {"fees": fees, "items": items, "share": 0.8, "margin_pct": 25, "cost_usd": None}
    usd = lambda amount: "none" if amount is None else f"${amount / 100:,.2f}"
    if len(items) == 1 and items[0]["quantity"] == 1:
        for q in answer_max_buy(asked)["channels"]:
            print(
                f"{q['channel']:10} price {usd(q['price'])}, fees {usd(q['fees'])}, shipping "
                f"{usd(q['postage'])}, net {usd(q['net'])}, max buy {usd(q['max_buy'])}"
            )
    else:
        box = answer_box(asked)
        print(f"Sum of values {usd(box['sum'])}; {usd(box['low'])} to {usd(box['high'])}")
        print(f"Max bid {usd(box['max_bid'])} to sell on {box['best']}")


if __name__ == "__main__":
    main(sys.argv[1:])
