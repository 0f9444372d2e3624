const SECRET_BYTES = 33;

/**
 * Draws a signing secret like the service's: 33 bytes whose text holds neither `-` nor `_` and needs no padding,
 * so that every Standard Webhooks library in any language reads it alike.
 */
export function generateSecret(): `whsec_${string}` {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const text = btoa(String.fromCharCode(...bytes));
    if (!/[+/]/.test(text)) return `whsec_${text}`;
  }
}
