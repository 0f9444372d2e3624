/** Whether a string is the URL of a PostgreSQL database. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

/** The name of a database in messages, which is the URL without credentials. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/**
 * Replaces the user and the password of a URL everywhere in a string. The user is replaced only where it is a separate
 * word, not where it is part of a longer word.
 */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, searchParams } = new URL(url);
  const users = spellingsOf(username, searchParams.get('user')).map((user) => `(?<!\\w)${literally(user)}(?!\\w)`);
  const passwords = spellingsOf(password, searchParams.get('password')).map(literally);
  const found = [...passwords, ...users].join('|');
  return found === '' ? text : text.replaceAll(new RegExp(found, 'g'), '***');
}

/** The strings both as written in the URL and decoded, longest first. */
function spellingsOf(...texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text ? [text, decodeURIComponent(text)] : [])).sort((a, b) => b.length - a.length);
}

/** A pattern that matches exactly this string. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
