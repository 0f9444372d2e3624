const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;
/** Deeper levels are not indented further, because untrusted JSON may have thousands of levels. */
const INDENTED_LEVELS_MAX = 40;

/**
 * Formats JSON for people. Returns `undefined` if the string is not JSON. Large numbers are not rounded, and repeated
 * names are kept.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const lines: string[] = [];
  let line = '';
  let level = 0;
  const indent = () => '  '.repeat(Math.min(level, INDENTED_LEVELS_MAX));
  const next = () => {
    lines.push(line);
    line = indent();
  };
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) {
      level--;
      if (before !== '{' && before !== '[') next();
    } else if (before === '{' || before === '[') {
      next();
    }
    line += token;
    if (token === '{' || token === '[') level++;
    else if (token === ':') line += ' ';
    else if (token === ',') next();
    before = token;
  }
  lines.push(line);
  return lines.join('\n');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
