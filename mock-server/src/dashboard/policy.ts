const SAME_ORIGIN: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** What the dashboard's page may load: its own files, and nothing inline. Trusted Types block `innerHTML`. */
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

/**
 * Headers of the dashboard's page. Browsers request the page each time: it is small and refers to the files of the
 * current version.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-cache',
};

/** What the API reference may load. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar's script contains its styles and sets some on elements, so inline styles must be allowed.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the API reference's page. */
export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': DOCS_POLICY,
};

/** Headers of a file whose name contains a hash of its content. */
export const ASSET_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=31536000, immutable',
};
