/** Many short lists of integers in one array. */

/** List `n` is `values` from `starts[n]` to `starts[n + 1]`. */
export interface NumberLists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Initial capacity. */
const roomAtFirst = 256;

export class NumberListsBuilder {
  private starts = new Uint32Array(roomAtFirst);
  private values = new Uint32Array(roomAtFirst);
  private startsLength = 0;
  private valuesLength = 0;

  begin(): void {
    if (this.startsLength === this.starts.length) this.starts = twiceAsLong(this.starts);
    this.starts[this.startsLength++] = this.valuesLength;
  }

  /** Adds to the last list. */
  push(value: number): void {
    if (this.valuesLength === this.values.length) this.values = twiceAsLong(this.values);
    this.values[this.valuesLength++] = value;
  }

  /** Returns the lists in the given order; `replace` maps their values, if not null. */
  build(order: Uint32Array, replace: Uint32Array | null): NumberLists {
    const starts = new Uint32Array(order.length + 1);
    const values = new Uint32Array(this.valuesLength);
    let length = 0;
    for (let list = 0; list < order.length; list++) {
      const from = order[list] ?? 0;
      const isLast = from + 1 === this.startsLength;
      const end = isLast ? this.valuesLength : (this.starts[from + 1] ?? 0);
      for (let at = this.starts[from] ?? 0; at < end; at++) {
        const value = this.values[at] ?? 0;
        values[length++] = replace ? (replace[value] ?? 0) : value;
      }
      starts[list + 1] = length;
    }
    return { starts, values };
  }
}

function twiceAsLong(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(list.length * 2);
  longer.set(list);
  return longer;
}

/** Inverts the lists: for each value below `count`, the lists that contain it. */
export function invertLists({ starts, values }: NumberLists, count: number): NumberLists {
  const lists = starts.length - 1;
  const isNew = distinctIn(count);
  const ends = new Uint32Array(count + 1);
  for (let list = 0; list < lists; list++) {
    for (let at = starts[list] ?? 0; at < (starts[list + 1] ?? 0); at++) {
      const value = values[at] ?? 0;
      if (isNew(value, list)) ends[value + 1] = (ends[value + 1] ?? 0) + 1;
    }
  }
  for (let value = 0; value < count; value++) {
    ends[value + 1] = (ends[value + 1] ?? 0) + (ends[value] ?? 0);
  }
  const next = ends.slice();
  const inverted = new Uint32Array(ends[count] ?? 0);
  const isFirst = distinctIn(count);
  for (let list = 0; list < lists; list++) {
    for (let at = starts[list] ?? 0; at < (starts[list + 1] ?? 0); at++) {
      const value = values[at] ?? 0;
      if (!isFirst(value, list)) continue;
      inverted[next[value] ?? 0] = list;
      next[value] = (next[value] ?? 0) + 1;
    }
  }
  return { starts: ends, values: inverted };
}

/** Whether a value is new in a list; lists must be visited in order. */
function distinctIn(count: number): (value: number, list: number) => boolean {
  const lastList = new Int32Array(count).fill(-1);
  return (value, list) => {
    if (lastList[value] === list) return false;
    lastList[value] = list;
    return true;
  };
}
