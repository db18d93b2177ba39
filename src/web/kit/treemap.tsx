/**
 * A treemap, rendered on the server: areas are amounts, tints are gains. Positions are in percent,
 * so that it fits any window while text keeps its size.
 */

interface Tile {
  readonly name: string;
  readonly size: number;
  readonly text: string;
  /** The gain in percent, shown as the tint. */
  readonly percent: number;
  readonly href: string;
}

/** A treemap, largest tiles first; phones get fewer tiles in another shape. */
export function Treemap(props: { readonly label: string; readonly tiles: readonly Tile[] }) {
  const { label, tiles } = props;
  return (
    <nav aria-label={label}>
      <Drawing tiles={tiles} shape={wide} />
      <Drawing tiles={tiles.slice(0, 12)} shape={narrow} />
    </nav>
  );
}

/** The shape of a treemap, in pixels of a typical window. */
interface Shape {
  readonly look: string;
  readonly width: number;
  readonly height: number;
}

const wide: Shape = { look: 'treemap wide', width: 1100, height: 280 };
const narrow: Shape = { look: 'treemap narrow', width: 320, height: 360 };

function Drawing({ tiles, shape }: { readonly tiles: readonly Tile[]; readonly shape: Shape }) {
  const { look, width, height } = shape;
  const rectangles = layOut(
    tiles.map(({ size }) => size),
    shape,
  );
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: each of its links has a name.
    <svg class={look}>
      {tiles.map((tile, index) => {
        const rectangle = rectangles[index];
        if (!rectangle) return null;
        const words = `${tile.name}: ${tile.text}`;
        return (
          <a key={tile.name} href={tile.href} aria-label={words}>
            <svg
              x={percent(rectangle.x / width)}
              y={percent(rectangle.y / height)}
              width={percent(rectangle.width / width)}
              height={percent(rectangle.height / height)}
            >
              <title>{words}</title>
              <rect class={tintOf(tile.percent)} width="100%" height="100%" />
              {rectangle.width > 56 && rectangle.height > 26 && (
                <foreignObject width="100%" height="100%">
                  <div class="tile-name">{tile.name}</div>
                  {rectangle.width > 72 && rectangle.height > 46 && (
                    <div>{fittedAmount(tile.text, rectangle.width)}</div>
                  )}
                </foreignObject>
              )}
            </svg>
          </a>
        );
      })}
    </svg>
  );
}

/** The average width of a character and the padding of a tile, in pixels. */
const letterWidth = 7.4;
const edges = 14;

/** Amounts are never cut: if both do not fit, the percentage is left out, or everything. */
function fittedAmount(text: string, width: number): string {
  const [amount = ''] = text.split(' ');
  return [text, amount].find((each) => each.length * letterWidth + edges <= width) ?? '';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** Five tints, from a large loss to a large gain. */
function tintOf(gainPct: number): string {
  if (Math.abs(gainPct) < 2) return 'tint';
  const much = Math.abs(gainPct) >= 25 ? ' much' : '';
  return `tint ${gainPct > 0 ? 'gain' : 'loss'}${much}`;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A squarified treemap: rows along the shorter side of the remaining space, largest sizes first. A
 * row takes sizes as long as that improves the worst aspect ratio in it.
 */
function layOut(sizes: readonly number[], { width, height }: Shape): Rectangle[] {
  const whole = sumOf(sizes);
  const areas = sizes.map((size) => (size / whole) * width * height);
  const rectangles: Rectangle[] = [];
  let left: Rectangle = { x: 0, y: 0, width, height };
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(left.width, left.height);
    let until = from + 1;
    while (
      until < areas.length &&
      worst(areas, side, [from, until + 1]) <= worst(areas, side, [from, until])
    ) {
      until++;
    }
    const row = areas.slice(from, until);
    const depth = sumOf(row) / side;
    const isColumn = left.width >= left.height;
    let along = 0;
    for (const area of row) {
      const length = area / depth;
      rectangles.push(
        isColumn
          ? { x: left.x, y: left.y + along, width: depth, height: length }
          : { x: left.x + along, y: left.y, width: length, height: depth },
      );
      along += length;
    }
    left = isColumn
      ? { ...left, x: left.x + depth, width: left.width - depth }
      : { ...left, y: left.y + depth, height: left.height - depth };
    from = until;
  }
  return rectangles;
}

function worst(areas: readonly number[], side: number, [from, until]: [number, number]): number {
  const row = areas.slice(from, until);
  const sum = sumOf(row);
  const ratios = row.map((area) =>
    Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area)),
  );
  return Math.max(...ratios);
}

function sumOf(areas: readonly number[]): number {
  return areas.reduce((sum, area) => sum + area, 0);
}
