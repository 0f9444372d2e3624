import { ConfigError } from './config.ts';

/**
 * Parses the origin of a web page, such as `http://localhost:5173`. @throws {@link ConfigError} if the string is not an
 * origin.
 */
export function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.origin === text && (url.protocol === 'http:' || url.protocol === 'https:');
  if (isOrigin) return text;
  throw new ConfigError(`"${text}" is not an origin. Write scheme, host and port, for example http://localhost:5173.`);
}
