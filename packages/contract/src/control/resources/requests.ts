import type { REQUEST_METHODS } from '../values.ts';

/** A request to the API, with credentials redacted. */
export interface ControlRequest {
  /** Id of the request, as in the header `Service-Request-Id`. */
  id: string;
  /** When it arrived, on the real clock. */
  receivedAt: string;
  /** The method. */
  method: string;
  /** Path and query. */
  url: string;
  /** The headers as received. */
  headers: Record<string, string>;
  /** The status of the response. Null if a fault cut the connection. */
  status: number | null;
  /** Duration in milliseconds. */
  durationMs: number;
  /** The operation of the request. Null if no route matched. */
  operation: string | null;
  /** Id of the credential. Null if the credential was missing or rejected. */
  credentialId: string | null;
  /** The workspace of the request. Null if it has none. */
  workspaceId: string | null;
  /** The fault that was applied to the request, or null. */
  faultId: string | null;
  /** Unknown body fields and query parameters, such as `body.nme`. The API ignored them. */
  ignored: string[];
  /** The body of the request, at most 16 KiB, with secrets redacted. Null without a body, and in the strict profile. */
  requestBody: string | null;
  /** The body of the response, at most 16 KiB, with secrets redacted. Null in the strict profile. */
  responseBody: string | null;
}

/** The method of a request. */
export type RequestMethod = (typeof REQUEST_METHODS)[number];

/** The requests to list. `path` is a prefix. `status` can be a class such as `4xx`. */
export interface RequestFilters {
  /** Only requests with this method. */
  method?: RequestMethod | undefined;
  /** Only responses with this status, such as `404`, or of this class, such as `4xx`. */
  status?: string | undefined;
  /** Only requests whose path begins with this. */
  path?: string | undefined;
  /** Only requests of this workspace. */
  workspaceId?: string | undefined;
  /** Only requests with this credential. */
  credentialId?: string | undefined;
  /** Whether the request had unknown body fields or query parameters. */
  ignored?: boolean | undefined;
}

/** A notification of one user. */
export interface ControlNotification {
  /** Id of the notification. */
  id: string;
  /** The user who gets it. */
  userId: string;
  /** The workspace that it is about. */
  workspaceId: string;
  /** The type of the event that caused it. */
  type: string;
  /** The endpoint that it is about, or null. */
  endpointId: string | null;
  /** When the notification was created. */
  createdAt: string;
  /** When the user read it, or null. */
  readAt: string | null;
}
