/**
 * Signs with one secret. Returns the HMAC-SHA256 of `<id>.<timestamp>.<body>` in standard base64. Strings are signed as
 * their UTF-8 bytes.
 */
export type Signer = (id: string, timestamp: number, body: string | Uint8Array) => string;
