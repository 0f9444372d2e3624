/** Quotes an invalid URL in a message. Omits a URL with an `@`, because a password may come before the `@`. */
export const insteadOf = (url: string): string => (url.includes('@') ? '' : `, not "${url}"`);
