const SAME_ORIGIN: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The page may load its own files, but no inline scripts or styles. Trusted Types block `innerHTML`. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page refers to the files of the server's current version, so browsers must request the page each time. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-cache',
};

const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar's script inserts its own styles, and sets styles on elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': DOCS_POLICY,
};

/** The name of the file contains a hash of its content. */
export const ASSET_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=31536000, immutable',
};
