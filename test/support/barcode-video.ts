/** Videos of barcodes, which Chromium shows instead of the picture of a camera. */

const size = { width: 640, height: 480 } as const;

/** The width of the thinnest bar in pixels. */
const modulePixels = 4;

/** Each barcode is shown for half a second, then the video begins again. */
const framesPerSecond = 2;

/** A video in the format Y4M: a header, then uncompressed frames. */
export function barcodeVideo(codes: readonly string[]): Uint8Array {
  const { width, height } = size;
  const header = `YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`;
  return new Uint8Array(Buffer.concat([Buffer.from(header), ...codes.map(frameOf)]));
}

/** The barcode in the middle of a white picture. */
function frameOf(code: string): Buffer {
  const bars = barsOf(code.padStart(13, '0'));
  const left = Math.floor((size.width - bars.length * modulePixels) / 2);
  const line = Buffer.alloc(size.width, white);
  for (const [place, bar] of [...bars].entries()) {
    if (bar === '1')
      line.fill(black, left + place * modulePixels, left + (place + 1) * modulePixels);
  }
  const margin = Buffer.alloc(size.width * 120, white);
  const middle = Buffer.concat(Array.from({ length: size.height - 240 }, () => line));
  const colors = Buffer.alloc((size.width * size.height) / 2, 128);
  return Buffer.concat([Buffer.from('FRAME\n'), margin, middle, margin, colors]);
}

const white = 235;
const black = 16;

/** The seven modules of each digit on the left side of an EAN-13, with odd parity. */
const odd = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(
  ' ',
);

/** The parities of the left digits, which encode the first digit of the code. */
const parities = 'OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO'.split(' ');

const inverted = (bits: string) => bits.replace(/./g, (bit) => (bit === '1' ? '0' : '1'));
const reversed = (bits: string) => [...bits].reverse().join('');

/** The 95 modules of an EAN-13; a UPC-A is one with a leading 0. */
function barsOf(code: string): string {
  const digits = [...code].map((digit) => odd[Number(digit)] ?? '');
  const parity = parities[Number(code[0])] ?? '';
  const left = digits
    .slice(1, 7)
    .map((bits, at) => (parity[at] === 'O' ? bits : reversed(inverted(bits))));
  const right = digits.slice(7).map(inverted);
  return ['101', ...left, '01010', ...right, '101'].join('');
}
