/** Barcodes: UPC-A (12 digits) and EAN-13, with their check digit. */

/** Why a code is not a good UPC, or null when it is one. */
export function upcProblem(code: string): string | null {
  return barcodeProblem(code, { name: 'UPC', digits: 12 });
}

/** Why a code is not a good EAN, or null when it is one. */
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

/** The form in which barcodes are compared: 13 digits, a UPC with a 0 before it; null for none. */
export function barcodeKey(code: string): string | null {
  const digits = code.trim();
  if (/^\d{13}$/.test(digits)) return digits;
  return /^\d{12}$/.test(digits) ? `0${digits}` : null;
}

/** The same for codes as marketplaces give them: a GTIN of 14 digits that begins with 0 is one. */
export function gtinKey(code: string): string | null {
  const digits = code.trim();
  // With anything else in front, it is a case of them.
  return barcodeKey(/^0\d{13}$/.test(digits) ? digits.slice(1) : digits);
}

/** A barcode as it is printed: a UPC without the 0 that its key has before it. */
export function printedBarcode(key: string): string {
  return /^0\d{12}$/.test(key) ? key.slice(1) : key;
}

/** The GS1 check digit of the digits before it: weights 3 and 1 from the right. */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    sum += Number(body[body.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  }
  return String((10 - (sum % 10)) % 10);
}
