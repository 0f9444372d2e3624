const SECRET_BYTES = 32;

/**
 * Generates a signing secret like the service's: 32 random bytes in base64url, without padding. The secret always
 * contains `-` or `_`, so a receiver that wrongly decodes the secret as base64 fails on its first message.
 */
export function generateSecret(): `whsec_${string}` {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    const text = btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace('=', '');
    if (/[-_]/.test(text)) return `whsec_${text}`;
  }
}
