/** Barcodes: UPC-A (12 digits) and EAN-13, with their check digits. */

/** Why a code is not a valid UPC; null if it is. */
export function upcProblem(code: string): string | null {
  return barcodeProblem(code, { name: 'UPC', digits: 12 });
}

/** Why a code is not a valid EAN; null if it is. */
export function eanProblem(code: string): string | null {
  return barcodeProblem(code, { name: 'EAN', digits: 13 });
}

function barcodeProblem(code: string, form: { name: string; digits: number }): string | null {
  if (!/^\d+$/.test(code) || code.length !== form.digits) {
    return `${form.name} '${code}' must be ${form.digits} digits`;
  }
  const right = checkDigit(code.slice(0, -1));
  const given = code.slice(-1);
  return given === right ? null : `${form.name} '${code}' has check digit ${given}, not ${right}`;
}

/** Normalizes a barcode to 13 digits, with a leading 0 for a UPC; null if it is neither. */
export function barcodeKey(code: string): string | null {
  const digits = code.trim();
  if (/^\d{13}$/.test(digits)) return digits;
  return /^\d{12}$/.test(digits) ? `0${digits}` : null;
}

/** The key of a barcode whose check digit is right; null for anything else. */
export function readBarcode(code: string): string | null {
  const key = barcodeKey(code);
  return key !== null && eanProblem(key) === null ? key : null;
}

/** Also accepts a GTIN-14 with indicator digit 0, as marketplaces report them. */
export function gtinKey(code: string): string | null {
  const digits = code.trim();
  // Any other indicator digit denotes a case of several units.
  return barcodeKey(/^0\d{13}$/.test(digits) ? digits.slice(1) : digits);
}

/** The printed form of a key: a UPC without the leading 0. */
export function printedBarcode(key: string): string {
  return /^0\d{12}$/.test(key) ? key.slice(1) : key;
}

/** The GS1 check digit: weights 3 and 1, alternating from the right. */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    sum += Number(body[body.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  }
  return String((10 - (sum % 10)) % 10);
}
