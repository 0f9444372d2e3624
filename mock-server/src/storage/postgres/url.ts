export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

/** The name of a database in messages, which is the URL without credentials. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/**
 * Replaces the user and the password of a URL everywhere in a string. A user name that is only a part of a longer word
 * is not replaced.
 */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, searchParams } = new URL(url);
  const users = spellingsOf(username, searchParams.get('user')).map((user) => `(?<!\\w)${literally(user)}(?!\\w)`);
  const passwords = spellingsOf(password, searchParams.get('password')).map(literally);
  const found = [...passwords, ...users].join('|');
  return found === '' ? text : text.replaceAll(new RegExp(found, 'g'), '***');
}

/** Returns each string twice: as written in the URL, and decoded. The longest string comes first. */
function spellingsOf(...texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text ? [text, decodeURIComponent(text)] : [])).sort((a, b) => b.length - a.length);
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
