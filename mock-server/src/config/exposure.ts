import { ADMIN_TOKEN_LENGTH_MIN } from '../domain/credential.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import { ConfigError, type ServerConfig } from './config.ts';

/** Only characters that a header can contain, such as 16 random bytes in hexadecimal. */
const ADMIN_TOKEN = new RegExp(`^[\\x21-\\x7e]{${ADMIN_TOKEN_LENGTH_MIN},}$`);

/** Rejects unsafe settings. No message contains the admin token. `start/seeds.ts` handles the demo credentials. */
export function checkProtection({ adminToken, strict, randomSeed, cors = [] }: Partial<ServerConfig>): void {
  if (strict && cors.length > 0) throw new ConfigError('--strict does not allow --cors. Remove one of these options.');
  if (strict && randomSeed !== undefined) {
    throw new ConfigError(
      '--strict does not allow --random-seed, because anyone could derive every secret from the seed. Remove one of these options.',
    );
  }
  if (adminToken?.trim() === '') throw new ConfigError('The admin token is empty. Set a token, or remove the option.');
  if (adminToken !== undefined && !ADMIN_TOKEN.test(adminToken)) {
    throw new ConfigError(
      `The admin token must have at least ${ADMIN_TOKEN_LENGTH_MIN} characters (letters, digits, punctuation). Create one with: openssl rand -hex 24`,
    );
  }
}

/** Returns the setting that lets other machines reach the server, if any. */
function exposedBy({ host, publicUrl }: Pick<ServerConfig, 'host' | 'publicUrl'>): string | undefined {
  if (!isLoopbackHost(host)) return `Listening on ${host}`;
  // A proxy or a tunnel at the public URL makes a server on loopback reachable.
  if (publicUrl !== undefined && !isLoopbackHost(new URL(publicUrl).hostname)) return `The public URL ${publicUrl}`;
  return undefined;
}

export const isExposed = (config: Pick<ServerConfig, 'host' | 'publicUrl'>): boolean => exposedBy(config) !== undefined;

export function checkExposure(config: ServerConfig): void {
  const what = exposedBy(config);
  if (what === undefined) return;
  if (config.randomSeed !== undefined) {
    throw new ConfigError(
      `${what} does not allow --random-seed, because anyone could derive every credential from the seed.`,
    );
  }
  if (config.adminToken !== undefined) return;
  throw new ConfigError(
    `${what} requires --admin-token, because the control API would otherwise be open to the network.`,
  );
}
