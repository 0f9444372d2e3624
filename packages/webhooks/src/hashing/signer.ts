/**
 * Signs with one secret: the standard base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`. Strings are signed as their
 * UTF-8 bytes.
 */
export type Signer = (id: string, timestamp: number, body: string | Uint8Array) => string;
