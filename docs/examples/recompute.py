"""Computes max buy prices and box bids from responses of the API, to the cent.

The sections are those of docs/buying.md, in the same order and with the same names.

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


# Rounding


def half_up(number):
    return math.floor(number + 0.5)


def cents(usd):
    return None if usd is None else half_up(usd * 100)


def part(amount, percent):
    """A percentage of an amount in cents. Percentages have at most two decimals."""
    return half_up(amount * half_up(percent * 100) / 10_000)


def in_effect(rows, day):
    """The latest row up to a day, and before the first row the first."""
    return ([row for row in rows if row["from"] <= day] or rows[:1])[-1]


def lengths(box):
    """In thousandths of an inch, the shortest first; None if a side or the weight is unknown."""
    sides = [box[side] for side in ("width_in", "height_in", "depth_in")]
    known = all(sides) and box["weight_lbs"]
    return sorted(half_up(side * 1000) for side in sides) if known else None


# Unit


def unit_of(item):
    """A unit from the evidence, the item's record, and its grade; None without a value."""
    condition, evidence, record = item["condition"], item["evidence"], item.get("record") or {}
    valued = evidence[condition]
    terms = valued["terms"]
    if terms is None:
        return None
    grade = item.get("grade_value_pct", 100)
    graded = lambda usd: half_up(cents(usd) * (grade / 100))
    unknown = {"width_in": None, "height_in": None, "depth_in": None, "weight_lbs": None}
    return {
        "value": graded(valued["value_usd"]),
        "level": graded(terms["level_usd"]),
        "low": graded(valued["range"]["low"]),
        "high": graded(valued["range"]["high"]),
        # A used set may have no box, and a minifig has neither.
        "box": record.get("box", unknown) if condition == "sealed" else unknown,
        "pieces": record.get("pieces"),
        "is_modeled": terms["data_tier"] == "modeled",
        "terms": terms,
        "channels": {row["channel"]: row for row in terms["channels"]},
        "cheapest": item.get("cheapest", {}),
        "season": evidence["season"],
        "theme": record.get("theme"),
        "quantity": item.get("quantity", 1),
    }


# Price


def price_at(unit, channel, share):
    """What the buyer pays, delivered and before tax, in this share of sales or more."""
    terms, there = unit["terms"], unit["channels"][channel]
    q = quantile(terms["quantiles"], share)
    spread = math.hypot(terms["value_spread"], terms["sale_spread"])
    price = half_up(unit["level"] * math.exp(there["offset"] + q * spread))
    return min(price, cents(there["price_max_usd"]) or price)


def quantile(quantiles, share):
    """Linear between two of them."""
    after = next((i for i, q in enumerate(quantiles) if q["share"] >= share), len(quantiles) - 1)
    low, high = quantiles[max(0, after - 1)], quantiles[after]
    if low is high or high["share"] < share:
        return high["quantile"]
    step = (share - low["share"]) / (high["share"] - low["share"])
    return low["quantile"] + (high["quantile"] - low["quantile"]) * step


# Time to sell


def wait_days(fees, unit, channel, n=1):
    """Half of the time, the nth unit is sold within these days; None if unknown."""
    rate, queue = unit["terms"]["rate"], unit["channels"][channel]["queue"]
    if rate is None:
        return None
    sales = rate["counted_sales"] + rate["prior_sales"]
    days = rate["days"] * rate["season_index"] + rate["prior_days"]
    next_sale = days * (2 ** (1 / sales) - 1)
    rivals, share = queue["rivals"], queue["sales_share"]
    if rivals is None:
        rivals = queue["supply_months"] * share * sales / days * 365.25 / 12
    buyers = 1 if unit["cheapest"].get(channel, queue["cheapest"]) else rivals + 1
    first = next_sale * buyers / share
    longer = (n - 1 + (buyers - 1) * math.log(n)) * days / sales / share
    return in_season(fees, unit["season"], first + longer)


def in_season(fees, season, days):
    """Days of an average season as days of the calendar."""
    if season is None:
        return days
    years = math.floor(days / 365.25) * 365.25
    rest, today = days - years, date.fromisoformat(fees["date"])
    day = today
    while True:
        following = (day.replace(day=1) + timedelta(days=31)).replace(day=1)
        busy = season[day.month - 1]
        if (following - day).days * busy >= rest:
            return years + (day - today).days + rest / busy
        rest -= (following - day).days * busy
        day = following


# Shipping


def shipping_of(fees, unit, channel):
    if channel in ("fba", "local"):
        return 0
    table, box = in_effect(fees["postage"], fees["date"]), unit["box"]
    if box["weight_lbs"]:
        volume = (box["width_in"] or 0) * (box["height_in"] or 0) * (box["depth_in"] or 0)
        pounds = max(box["weight_lbs"], volume / table["cubic_inches_per_pound"])
    else:
        pounds = table["pieces_factor"] * max(unit["pieces"] or 0, 1) ** table["pieces_power"]
    weight = math.ceil(100 * pounds) + half_up(table["packing_lbs"] * 100)
    packing, last = cents(table["packing_usd"]), table["rates"][-1]
    for rate in table["rates"]:
        if weight <= half_up(rate["up_to_lbs"] * 100):
            return cents(rate["usd"]) + packing
    begun = math.ceil((weight - half_up(last["up_to_lbs"] * 100)) / 100)
    return cents(last["usd"]) + begun * cents(table["above_per_lb_usd"]) + packing


# Fees


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
    order = [each for each in row["per_order"] if base <= (cents(each["up_to_usd"]) or base)]
    charged = half_up(total / 10_000) + sum(cents(each["fee_usd"]) for each in order[:1])
    charged = max(charged, cents(row["minimum_usd"]))
    for payment in row["payments"][:1]:
        paid = base_of(fees, payment["base"], price, shipping)
        charged += part(paid, payment["percent"]) + cents(payment["fee_usd"])
    return charged


def base_of(fees, base, price, shipping):
    if base == "items":
        return max(price - shipping, 0)
    return price + (part(price, fees["sales_tax_percent"]) if base == "with_tax" else 0)


# FBA


def fba_fees(fees, box, price, days):
    """Referral, fulfillment and storage; None if the box is unknown."""
    schedule = in_effect(fees["fba"], fees["date"])
    found = fba_size(schedule, box)
    if found is None:
        return None
    size, row, weight = found
    referral = part(price, schedule["referral_percent"])
    referral = max(referral, cents(schedule["referral_minimum_usd"]))
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
        rows = [peak for peak in size["peak"] if is_up_to(peak, weight)]
        fee += cents((rows or size["peak"][-1:])[0]["usd"])
    return referral + fee + storage(fees, box, size, days)


def fba_size(schedule, box):
    """The first size that fits, its row, and the weight; None if the box is unknown."""
    sides = lengths(box)
    if sides is None:
        return None
    shortest, median, longest = sides
    for size in schedule["sizes"]:
        limits = (
            (longest, size["longest_in"]),
            (median, size["median_in"]),
            (shortest, size["shortest_in"]),
            (longest + 2 * (median + shortest), size["length_and_girth_in"]),
        )
        if any(limit is not None and side > limit * 1000 for side, limit in limits):
            continue
        weight, least = half_up(box["weight_lbs"] * 10_000), size["volume_side_min_in"]
        if least is not None:
            volume = longest * max(median, least * 1000) * max(shortest, least * 1000)
            per_pound = schedule["cubic_inches_per_pound"] * 1000**3
            weight = max(weight, math.ceil(volume / (per_pound / 10_000)))
        for row in size["rows"]:
            if is_up_to(row, weight):
                return size, row, weight
    return None


def is_up_to(row, weight):
    """Weights are in ten-thousandths of a pound: an ounce has 625."""
    return row["up_to_oz"] is None or weight <= row["up_to_oz"] * 625


def storage(fees, box, size, days):
    feet = math.prod(lengths(box)) / 1000**3 / 1728
    today = date.fromisoformat(fees["date"])
    end = today + timedelta(days=min(half_up(days or 0), 3650))
    total, day = 0.0, today
    while day < end:
        first = day.replace(day=1)
        following = (first + timedelta(days=31)).replace(day=1)
        until = min(following, end)
        schedule = in_effect(fees["fba_storage"], day.isoformat())
        season = "october_to_december" if day.month >= 10 else "january_to_september"
        rate = schedule[season]["standard_size_usd" if size["standard_size"] else "larger_usd"]
        total += cents(rate) * feet * (until - day).days / (following - first).days
        fifteenth = first.replace(day=15)
        if day <= fifteenth < until:
            age = (fifteenth - today).days
            for aged in [row for row in schedule["aged"] if row["from_day"] <= age][-1:]:
                total += max(cents(aged["usd"]) * feet, cents(aged["minimum_usd"]))
        day = until
    return half_up(total)


# Net


def net_of(fees, unit, channel, price, days):
    """Fees, shipping and what is left; None if FBA needs a box that is unknown."""
    shipping = shipping_of(fees, unit, channel)
    if channel == "fba":
        charged = fba_fees(fees, unit["box"], price, days)
    else:
        charged = platform_fees(fees, channel, price, shipping)
    if charged is None:
        return None
    return {"fees": charged, "postage": shipping, "net": price - charged - shipping}


# Max buy price


def max_buy(fees, net, margin_pct, days):
    """The highest price in cents that leaves the margin; None if even 0 is too much."""
    if net < needed(fees, 0, margin_pct, days):
        return None
    low, high = 0, 1
    while needed(fees, high, margin_pct, days) <= net:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = needed(fees, middle, margin_pct, days) <= net
        low, high = (middle, high) if is_enough else (low, middle)
    return low


def needed(fees, price, margin_pct, days):
    """What the sale must net if the unit is bought at a price."""
    costs = fees["buying_costs"]
    cashback = math.floor(price * half_up(costs["cashback_percent"] * 100) / 10_000)
    cost = price + part(price, costs["sales_tax_percent"]) - cashback + cents(costs["inbound_usd"])
    with_margin = math.ceil(cost * (10_000 + half_up(margin_pct * 100)) / 10_000)
    capital = half_up(costs["cost_of_capital_percent"] * 100)
    return with_margin + half_up(cost * capital * half_up(days or 0) / (10_000 * 365))


# Best channel


def answer_max_buy(asked):
    """The max buy price of a unit in every channel, or in the one that is asked for."""
    fees, unit, only = asked["fees"], unit_of(asked["items"][0]), asked.get("channel")
    if unit is None:
        return {"best": None, "channels": []}
    channels = [only] if only else CHANNELS
    quotes = [quote(fees, unit, each, asked["share"], asked["margin_pct"]) for each in channels]
    quotes = [each for each in quotes if each is not None]
    buyable = [
        each
        for each in quotes
        if each["max_buy"] is not None
        and (only or not unit["channels"][each["channel"]]["assumed"])
    ]
    best = max(buyable, key=lambda each: (each["max_buy"], each["net"]), default=None)
    return {"best": best and best["channel"], "channels": quotes}


def quote(fees, unit, channel, share, margin_pct):
    price, days = price_at(unit, channel, share), wait_days(fees, unit, channel)
    sale = net_of(fees, unit, channel, price, days)
    if sale is None:
        return None
    bid = None if unit["is_modeled"] else max_buy(fees, sale["net"], margin_pct, days)
    return {"channel": channel, "price": price, **sale, "max_buy": bid, "days": days}


# Items


def answer_box(asked):
    """Range, max bid and profit of a box, and the cost of each item."""
    fees = asked["fees"]
    units = [unit_of(item) for item in asked["items"] if item["evidence"]]
    units = [unit for unit in units if unit is not None]
    bid_on = [unit for unit in units if not unit["is_modeled"]]
    best, max_bid = best_bid(asked, bid_on)
    low, median, high = range_of(fees, units, best or "ebay")
    return {
        "sum": sum(unit["quantity"] * unit["value"] for unit in units),
        "low": low,
        "median": median,
        "high": high,
        "max_bid": max_bid,
        "best": None if max_bid is None else best,
        "profit": profit_of(asked, bid_on, best),
        "costs": costs_of(asked),
    }


# Mean of an item


def years_of(fees, unit, channel):
    days = wait_days(fees, unit, channel, (unit["quantity"] + 1) / 2)
    return min(2, (days or 0) / 365.25)


def mean_of(unit, years):
    """The mean and the variance of what all units of an item bring."""
    terms, n = unit["terms"], unit["quantity"]
    growth = terms["growth_per_year"]
    growth = 0.05 if growth is None else growth
    tail = max(0.8, terms["quantiles"][-1]["quantile"] / -1.6449)
    s = (tail * terms["sale_spread"]) ** 2
    v = (tail * terms["value_spread"]) ** 2 + 0.0275 * years
    mean = math.exp(math.log(unit["level"]) + growth * years + (v + s) / 2)
    return n * mean, mean**2 * (n**2 * math.expm1(v) + n * math.exp(v) * math.expm1(s))


# Spread of the box


def shape_of(fees, units, channel):
    """The median and the spread of what all units bring."""
    total = variance = 0.0
    means = []
    for unit in units:
        years = years_of(fees, unit, channel)
        mean, own_variance = mean_of(unit, years)
        total, variance = total + mean, variance + own_variance
        for other, other_mean, other_years in means:
            shared = 0.02**2 + 0.05**2 * math.sqrt(years * other_years)
            same_theme = unit["theme"] is not None and unit["theme"] == other["theme"]
            variance += 2 * mean * other_mean * shared * (2 if same_theme else 1)
        means.append((unit, mean, years))
    spread = math.sqrt(math.log1p(variance / total**2))
    return total * math.exp(-(spread**2) / 2), spread


# Prices in a box

Z = [0, -0.1257, -0.2533, -0.3853, -0.5244, -0.6745, -0.8416, -1.0364, -1.2816, -1.6449]
CHANCES = [{"share": (50 + 5 * index) / 100, "quantile": z} for index, z in enumerate(Z)]


def box_prices(fees, units, channel, share):
    """Prices of the units that the whole box exceeds at this chance."""
    if sum(unit["quantity"] for unit in units) == 1:
        return [price_at(unit, channel, share) for unit in units]
    lowered = math.exp(quantile(CHANCES, share) * shape_of(fees, units, channel)[1])
    return [half_up(lowered * price_at(unit, channel, 0.5)) for unit in units]


# Sale of a box


def sell_all(fees, units, channel, prices):
    """Net and days of all units that leave something; None if FBA needs an unknown box."""
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


# Max bid


def best_bid(asked, units):
    """The best channel and the bid there; None for a channel or a bid if there is none."""
    fees, best = asked["fees"], None
    for channel in CHANNELS if units else []:
        if any(unit["channels"][channel]["assumed"] for unit in units):
            continue
        prices = box_prices(fees, units, channel, asked["share"])
        sold = sell_all(fees, units, channel, prices)
        if sold is None:
            continue
        net, days = sold
        bid = None if net == 0 else max_buy(fees, net, asked["margin_pct"], days)
        rank = (-1 if bid is None else bid, net)
        if best is None or rank > best[0]:
            best = rank, channel, bid
    return best[1:] if best else (None, None)


# Profit


def profit_of(asked, units, channel):
    if channel is None or asked.get("cost_usd") is None:
        return None
    median_prices = [price_at(unit, channel, 0.5) for unit in units]
    return sell_all(asked["fees"], units, channel, median_prices)[0] - cents(asked["cost_usd"])


# Low, median and high


def range_of(fees, units, channel):
    if not units:
        return None, None, None
    if sum(unit["quantity"] for unit in units) == 1:
        return units[0]["low"], price_at(units[0], "ebay", 0.5), units[0]["high"]
    median, spread = shape_of(fees, units, channel)
    return tuple(half_up(median * math.exp(z * spread)) for z in (-1.2816, 0, 1.2816))


# Cost of each item


def costs_of(asked):
    if asked.get("cost_usd") is None:
        return None
    found = [item for item in asked["items"] if item["evidence"]]
    amounts = [amount_of(item) for item in found]
    known = [amount for amount in amounts if amount is not None]
    average = half_up(sum(known) / len(known)) if known else 1
    weights = [
        item.get("quantity", 1) * (average if amount is None else amount)
        for item, amount in zip(found, amounts)
    ]
    if sum(weights) == 0:
        weights = [1] * len(weights)
    cost, total = cents(asked["cost_usd"]), sum(weights)
    shares = [cost * weight // total for weight in weights]
    largest_first = sorted(range(len(weights)), key=lambda i: -(cost * weights[i] % total))
    for index in largest_first[: cost - sum(shares)]:
        shares[index] += 1
    costs = iter(shares)
    return [next(costs) if item["evidence"] else None for item in asked["items"]]


def amount_of(item):
    """The value of a unit, or else its list price; None without either."""
    unit = unit_of(item)
    return unit["value"] if unit else cents((item.get("record") or {}).get("msrp_usd"))


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
            asked = json.loads(line)
            answer = answer_max_buy if asked["type"] == "max_buy" else answer_box
            print(json.dumps(answer(asked)), flush=True)
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
