const SAME_ORIGIN: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A page may load its own files, but no inline scripts. */
const contentSecurityPolicy = (styles: string, base: string, ...others: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self'",
    "connect-src 'self'",
    `base-uri ${base}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...others,
  ].join('; ');

/** Trusted Types block `innerHTML`. */
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", "trusted-types 'none'"];

/** The page refers to the files of the server's current version, so browsers must request the page each time. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy("'self'", "'self'", ...TRUSTED_TYPES),
  'Cache-Control': 'no-cache',
};

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  // Scalar's script inserts its own styles, and sets styles on elements.
  'Content-Security-Policy': contentSecurityPolicy("'self' 'unsafe-inline'", "'none'"),
};

/** Browsers may cache these files, because their names contain a hash of the content. */
export const ASSET_HEADERS: Readonly<Record<string, string>> = {
  ...SAME_ORIGIN,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'public, max-age=31536000, immutable',
};
