import type { REQUEST_METHODS } from '../values.ts';

/** A request to the API, with credentials redacted. */
export interface ControlRequest {
  /** The id of the request, which the header `Service-Request-Id` also contains. */
  id: string;
  /** When the request arrived, on the real clock. */
  receivedAt: string;
  /** The method. */
  method: string;
  /** The path and the query. */
  url: string;
  /** The headers as received, at most 100. */
  headers: Record<string, string>;
  /** The status of the response. Null if a fault cut the connection. */
  status: number | null;
  /** Duration in milliseconds. */
  durationMs: number;
  /** The operation of the request. Null if no route matched. */
  operation: string | null;
  /** Id of the credential. Null if the credential was missing or rejected. */
  credentialId: string | null;
  /** The workspace of the request. Null if the request has no workspace. */
  workspaceId: string | null;
  /** The fault that was applied to the request, or null. */
  faultId: string | null;
  /** Unknown body fields and query parameters, such as `body.nme`. The API ignored these fields and parameters. */
  ignored: string[];
  /**
   * The body of the request, at most 16,384 characters, with secrets redacted. Null if the request has no body, if the
   * server runs with the strict profile, or if the server needed the space for the bodies of later requests.
   */
  requestBody: string | null;
  /**
   * The body of the response, at most 16,384 characters, with secrets redacted. Null if a fault cut the connection, if
   * the server runs with the strict profile, or if the server needed the space for the bodies of later requests.
   */
  responseBody: string | null;
}

/** The method of a request. */
export type RequestMethod = (typeof REQUEST_METHODS)[number];

/** The requests to list. `path` is a prefix. `status` can be a class such as `4xx`. */
export interface RequestFilters {
  /** Lists only requests with this method. */
  method?: RequestMethod | undefined;
  /** Lists only requests with this response status, such as `404`, or this class of statuses, such as `4xx`. */
  status?: string | undefined;
  /** Lists only requests whose path begins with this string. */
  path?: string | undefined;
  /** Lists only requests of this workspace. */
  workspaceId?: string | undefined;
  /** Lists only requests with this credential. */
  credentialId?: string | undefined;
  /**
   * If true, lists only requests that had unknown body fields or query parameters. If false, lists only requests
   * without unknown fields and parameters.
   */
  ignored?: boolean | undefined;
}

/** A notification to one user. */
export interface ControlNotification {
  /** Id of the notification. */
  id: string;
  /** The user who receives the notification. */
  userId: string;
  /** The workspace that the notification is about. */
  workspaceId: string;
  /** The type of the event that caused the notification. */
  type: string;
  /** The endpoint that the notification is about. Null if the notification is not about an endpoint. */
  endpointId: string | null;
  /** When the notification was created. */
  createdAt: string;
  /** When the user read the notification. Null if the notification is unread. */
  readAt: string | null;
}
