/** Draws the monthly history of a set as an SVG: value, range and events. */
import type { History, HistoryPoint } from '../src/contract/history.ts';

const width = 860;
const height = 320;
const margin = { left: 64, right: 20, top: 48, bottom: 40 };

/** The image in docs/valuation.md. */
export function historyPicture(history: History): string {
  const points = history.history.filter((point) => point.value_usd !== null);
  const top = Math.max(...points.map((point) => point.range_high ?? 0)) * 1.08;
  const x = (index: number) =>
    round(margin.left + (index * (width - margin.left - margin.right)) / (points.length - 1));
  const y = (usd: number | null) =>
    round(height - margin.bottom - ((usd ?? 0) / top) * (height - margin.top - margin.bottom));
  const line = (pick: (point: HistoryPoint) => number | null) =>
    points.map((point, index) => `${x(index)},${y(pick(point))}`);
  const band = [...line((p) => p.range_high), ...line((p) => p.range_low).reverse()].join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`,
    `  aria-label="Monthly value of set ${history.set_number} with its range"`,
    '  font-family="system-ui, sans-serif" font-size="12">',
    `<rect width="${width}" height="${height}" rx="10" fill="#fbfaf7"/>`,
    `<text x="${margin.left}" y="26" font-size="15" font-weight="600" fill="#2b2b2b">` +
      `Set ${history.set_number}, ${history.condition}: value by month, with the range of the ` +
      'next ordinary sale</text>',
    ...gridLines(top, y),
    ...monthLabels(points, x),
    `<polygon points="${band}" fill="#f2b705" fill-opacity="0.25"/>`,
    `<polyline points="${line((p) => p.value_usd).join(' ')}" fill="none" stroke="#c8102e"` +
      ' stroke-width="2.5" stroke-linejoin="round"/>',
    ...eventMarks(points, x, y),
    '</svg>',
    '',
  ].join('\n');
}

function gridLines(top: number, y: (usd: number) => number): string[] {
  const step = niceStep(top / 5);
  const count = Math.floor(top / step);
  return Array.from({ length: count + 1 }, (_, index) => {
    const at = y(index * step);
    return (
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}" ` +
      `stroke="#e2ddd2"/><text x="${margin.left - 8}" y="${at + 4}" text-anchor="end" ` +
      `fill="#6b6b6b">$${index * step}</text>`
    );
  });
}

function monthLabels(points: readonly HistoryPoint[], x: (index: number) => number): string[] {
  return points.flatMap((point, index) =>
    point.month.endsWith('-01')
      ? [
          `<text x="${x(index)}" y="${height - 16}" text-anchor="middle" fill="#6b6b6b">` +
            `${point.month.slice(0, 4)}</text>`,
        ]
      : [],
  );
}

function eventMarks(
  points: readonly HistoryPoint[],
  x: (index: number) => number,
  y: (usd: number | null) => number,
): string[] {
  return points.flatMap((point, index) =>
    point.event === null
      ? []
      : [
          `<circle cx="${x(index)}" cy="${y(point.value_usd)}" r="4" fill="#2b2b2b"/>` +
            `<text x="${x(index)}" y="${y(point.range_high) - 8}" ` +
            // The first labels would overlap the scale if centered.
            `text-anchor="${index < 3 ? 'start' : 'middle'}" ` +
            `fill="#2b2b2b">${point.event.replaceAll('_', ' ')}</text>`,
        ],
  );
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
