/**
 * All numbers that the service promises. If a number comes from the service document, brackets name the section that
 * states the number. If there are no brackets, this project chose the number.
 */

/** The maximum number of requests in one window, for each kind of credential [Limits]. */
export const RATE_LIMIT_REQUESTS = { api_key: 300, personal_access_token: 120 } as const;
/** The length of a rate-limit window in milliseconds. */
export const RATE_LIMIT_WINDOW_MS = 60_000;

/** The bounds of `limit` on every list [Limits]. */
export const PAGE_LIMIT = { default: 20, min: 1, max: 100 } as const;

/** The allowed length of a workspace's `name` and `slug`, in Unicode code points [Limits]. */
export const WORKSPACE_NAME_LENGTH = { min: 1, max: 120 } as const;
/** The allowed length of a workspace's `timezone`, in Unicode code points [Limits]. */
export const TIMEZONE_LENGTH = { min: 1, max: 64 } as const;
/** The maximum length of a user's `name`, in Unicode code points. */
export const USER_NAME_MAX_LENGTH = 120;
/** The maximum length of the address of a picture (`logo`, `image`), in characters. */
export const PICTURE_URL_MAX_LENGTH = 2048;
/** The bounds of a workspace's `weekStartsOn`: 0 is Sunday, 6 is Saturday [Limits]. */
export const WEEK_STARTS_ON = { min: 0, max: 6 } as const;

/** The maximum length of an endpoint's `description`, in Unicode code points [Limits]. */
export const ENDPOINT_DESCRIPTION_MAX_LENGTH = 500;
/** The maximum length of an endpoint's `url`, in characters. */
export const ENDPOINT_URL_MAX_LENGTH = 2048;
/** The allowed number of entries in a request's `subscribedEvents`. */
export const SUBSCRIBED_EVENTS_COUNT = { min: 1, max: 100 } as const;
/** The maximum number of endpoints in one workspace. The list of endpoints is always one page. */
export const ENDPOINTS_PER_WORKSPACE_MAX = 100;

/** The allowed length of the search text `q`, in Unicode code points. */
export const SEARCH_QUERY_LENGTH = { min: 1, max: 200 } as const;
/** The maximum number of words in `q`. Each word must match the beginning of a word in the hit. */
export const SEARCH_WORDS_MAX = 10;

/** The maximum length of a request's path and query together, in characters. */
export const REQUEST_TARGET_MAX_LENGTH = 8 * 1024;
/** The maximum size of the request line and all headers together, in bytes. */
export const REQUEST_HEADERS_MAX_BYTES = 32 * 1024;
/** The maximum size of a request body that the API reads, in bytes. */
export const REQUEST_BODY_MAX_BYTES = 1024 * 1024;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The delays before attempts 2 to 11, in milliseconds from the end of the previous attempt [States and transitions].
 */
export const RETRY_DELAYS_MS = [
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
  12 * HOUR_MS,
] as const;
/** The maximum number of attempts of a delivery [Limits]. */
export const DELIVERY_ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1;
/**
 * The time limit for one attempt, in milliseconds: from the start of the connection to the last kept byte of the
 * response [Limits].
 */
export const DELIVERY_TIMEOUT_MS = 10_000;
/**
 * The number of consecutive deliveries that must end as `failed` before the service disables their endpoint [Limits].
 */
export const CONSECUTIVE_FAILURES_MAX = 5;
/** How long the previous secret keeps signing after a rotation, in milliseconds [Limits]. */
export const PREVIOUS_SECRET_VALID_MS = 24 * HOUR_MS;
/** The maximum number of an endpoint's previous secrets that are valid at the same time. */
export const PREVIOUS_SECRETS_MAX = 10;
/**
 * The maximum difference between `webhook-timestamp` and the receiver's clock, in seconds, in either direction
 * [Limits].
 */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** How much of a receiver's response body the service keeps, in bytes. */
export const RESPONSE_BODY_KEPT_BYTES = 64 * 1024;
export const RESPONSE_HEADERS_KEPT = { count: 100, bytes: 16 * 1024 } as const;

/**
 * The interval, in milliseconds, at which the control API's stream sends a comment while nothing changes. A reader that
 * receives nothing for two intervals can assume that the connection is lost.
 */
export const STREAM_COMMENT_INTERVAL_MS = 15_000;
