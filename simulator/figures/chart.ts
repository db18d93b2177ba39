/** SVG building blocks of the charts in the docs. */
import { percent } from './markdown.ts';

export const colours = {
  paper: '#fbfaf7',
  ink: '#2b2b2b',
  soft: '#6b6b6b',
  grid: '#e2ddd2',
  engine: '#c8102e',
  engineSoft: '#ecaab4',
  other: '#8d887c',
  otherSoft: '#cfcabf',
  band: '#f2b705',
} as const;

export function picture(
  size: { readonly width: number; readonly height: number },
  label: string,
  parts: readonly string[],
): string {
  const { width, height } = size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`,
    `  aria-label="${label}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" rx="10" fill="${colours.paper}"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly size?: number;
  readonly isBold?: boolean;
}

export function text(at: Point, words: string, style: TextStyle = {}): string {
  const { anchor = 'start', fill = colours.ink, size, isBold = false } = style;
  return (
    `<text x="${round(at.x)}" y="${round(at.y)}" text-anchor="${anchor}" fill="${fill}"` +
    `${size ? ` font-size="${size}"` : ''}${isBold ? ' font-weight="600"' : ''}>` +
    `${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
  );
}

export function bar(at: Point, size: { width: number; height: number }, fill: string): string {
  return (
    `<rect x="${round(at.x)}" y="${round(at.y)}" width="${round(Math.max(0, size.width))}" ` +
    `height="${round(Math.max(0, size.height))}" fill="${fill}"/>`
  );
}

export function line(from: Point, to: Point, stroke: string, dashes?: string): string {
  return (
    `<line x1="${round(from.x)}" y1="${round(from.y)}" x2="${round(to.x)}" y2="${round(to.y)}" ` +
    `stroke="${stroke}"${dashes ? ` stroke-width="1.5" stroke-dasharray="${dashes}"` : ''}/>`
  );
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function legend(at: Point, entries: readonly { fill: string; words: string }[]): string[] {
  let x = at.x;
  return entries.flatMap(({ fill, words }) => {
    const parts = [
      bar({ x, y: at.y - 9 }, { width: 12, height: 10 }, fill),
      text({ x: x + 17, y: at.y }, words, { fill: colours.soft }),
    ];
    x += 17 + words.length * 6.4 + 18;
    return parts;
  });
}

export function dot({ x, y }: Point, fill: string, radius: number): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${fill}"/>`;
}

/** Horizontal grid lines, labeled as percentages. */
export function valueAxis(
  panel: { readonly left: number; readonly right: number; y(share: number): number },
  shares: readonly number[],
): string[] {
  const { left, right, y } = panel;
  return shares.flatMap((share) => [
    line({ x: left, y: y(share) }, { x: right, y: y(share) }, colours.grid),
    text({ x: left - 8, y: y(share) + 4 }, percent(share, 0), {
      anchor: 'end',
      fill: colours.soft,
    }),
  ]);
}

export function axisSteps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
