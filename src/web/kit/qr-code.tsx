/** QR codes, drawn on the server. */
import { encode } from 'uqr';

/** The text as a black and white picture, whatever the theme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  // Scanners need a margin of four squares, also on a dark page.
  const { data, size } = encode(text, { border: 4 });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
