const SECRET_BYTES = 33;

/**
 * Generates a signing secret like the service's: 33 random bytes, as a text that has no `-` or `_` and needs no padding.
 * Every Standard Webhooks library in any language decodes such a text in the same way.
 */
export function generateSecret(): `whsec_${string}` {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const text = btoa(String.fromCharCode(...bytes));
    if (!/[+/]/.test(text)) return `whsec_${text}`;
  }
}
