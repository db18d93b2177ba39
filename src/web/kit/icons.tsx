/** The icons of the navigation bar on phones, of the bell and of the scanner. */

const shapes = {
  today: 'M5 6h14v14H5zM5 10h14M9 3v4m6-4v4m-6 8l2 2 4-4',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 8v8m3-8v8m2.5-8v8M16 8v8',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4l2-2zm4 4a2 2 0 0 0 4 0',
  portfolio: 'M4 19V9m5 10V5m5 14v-8m5 8V8',
  inventory: 'M4 8l8-4 8 4-8 4-8-4zm0 0v8l8 4 8-4V8M12 12v8',
  sales: 'M4 6h16v12H4zM12 9v6m-2-1.5c0 2 4 2 4 0s-4-1-4-3 4-2 4 0',
  market: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20',
  watchlist: 'M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.7-5 2.7 1.1-5.5L4 9.7 9.6 9z',
} as const;

export type IconName = keyof typeof shapes;

/** An icon, always next to its text or in a link with a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
