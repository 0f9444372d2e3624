import { UsageError } from './exit.ts';

/**
 * Parses the URL of a receiver. For plain HTTP, a port, or a host with a port, is enough: `3000`,
 * `localhost:3000/webhooks`. A full URL is returned unchanged.
 *
 * @throws {@link UsageError} if the value is not a URL.
 */
export function targetUrlOf(option: string, text: string): string {
  const url = /^\d+$/.test(text)
    ? `http://localhost:${text}`
    : /^[\w.-]+:\d+(\/|$)/.test(text)
      ? `http://${text}`
      : text;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(
    `${option} must be an http or https URL, such as http://localhost:3000/webhooks, not "${text}".`,
  );
}
