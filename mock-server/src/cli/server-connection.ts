import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEMO_CREDENTIALS } from '../storage/seed/demo.ts';
import { CommandError } from './command-error.ts';

/** How a command reaches a running server. */
export interface ServerOptions {
  url: string;
  adminToken?: string | undefined;
  apiKey?: string | undefined;
}

interface Call {
  method: string;
  path: string;
  /** Sent as it comes. */
  body?: Readable;
  contentType?: string;
  credential?: string | undefined;
}

/** Calls a running server. An import may take long, so no call has a time-out. @throws {@link CommandError} */
export async function callServer<Body>(server: ServerOptions, call: Call): Promise<Body> {
  const { status, body } = await send(server, call);
  const answer = parse(body);
  if (status >= 200 && status < 300) return answer as Body;
  const message = (answer as { error?: { message?: string } } | undefined)?.error?.message ?? `HTTP ${status}`;
  // A request that the server does not understand, or that it refuses, is a mistake of whoever typed it.
  throw new CommandError(message, status >= 500 ? 1 : 2);
}

/** The workspace that was named, or the one of the API key. */
export async function workspaceOf(server: ServerOptions, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const keys = server.apiKey === undefined ? DEMO_CREDENTIALS.filter(isApiKey) : [server.apiKey];
  for (const credential of keys) {
    const { status, body } = await send(server, { method: 'GET', path: '/v1/me', credential });
    const identity = parse(body) as { workspace?: { id: string } | null } | undefined;
    if (status === 200 && identity?.workspace) return identity.workspace.id;
  }
  throw new CommandError('Name the workspace with --workspace, or an API key of it with --api-key.', 2);
}

const isApiKey = (credential: string) => credential.startsWith('svc_sk_');

function send(server: ServerOptions, call: Call): Promise<{ status: number; body: string }> {
  const url = parseUrl(server.url, call.path);
  const credential = call.credential ?? server.adminToken;
  const headers = {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(call.contentType !== undefined && { 'content-type': call.contentType }),
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { method: call.method, headers });
    let isAnswered = false;
    request.on('response', async (response) => {
      isAnswered = true;
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() });
    });
    const fail = (error: Error) => {
      // The server may answer before it has read everything.
      if (!isAnswered) reject(new CommandError(`Cannot reach the server at ${url.origin}: ${reasonOf(error)}`, 2));
    };
    request.on('error', fail);
    pipeline(call.body ?? Readable.from([]), request).catch(fail);
  });
}

function parseUrl(base: string, path: string): URL {
  if (URL.canParse(base) && /^https?:\/\//.test(base)) return new URL(path, base);
  throw new CommandError(`--url must be an http or https URL, such as http://127.0.0.1:4010, not "${base}".`, 2);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException) =>
  code === 'ECONNREFUSED' ? 'nothing listens there. Start it with: svc-mock' : message || String(code);
