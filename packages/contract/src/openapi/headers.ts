import { RATE_LIMIT_REQUESTS } from '../limits.ts';

const { api_key: limit } = RATE_LIMIT_REQUESTS;
/** The value of `components.headers`. */
export const componentHeaders = {
  RequestId: {
    description:
      'The id of the request. When you contact support, include this id. The service document does not show this header.',
    schema: { type: 'string' },
    example: '01KJPY44E0KTBKBRKBCXPN64AG',
  },
  RateLimit: {
    description:
      'The remaining requests and seconds of the window: `"default";r=<remaining>;t=<seconds>`. The service document does not show this header.',
    schema: { type: 'string' },
    example: `"default";r=${limit - 1};t=60`,
  },
  RateLimitPolicy: {
    description:
      'The limit for each window: `"default";q=<requests>;w=<seconds>`. The service document does not show this header.',
    schema: { type: 'string' },
    example: `"default";q=${limit};w=60`,
  },
  RetryAfter: {
    description:
      'The number of seconds to wait: an integer, at least 1. The service document does not show this header.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  Ignored: {
    description:
      'The unknown body fields and query parameters of the request, which the operation ignored. Only the reference server sends this header, in its local profile. The service document does not show this header.',
    schema: { type: 'string' },
    example: 'body.nme, query.createdAfter',
  },
  Authenticate: {
    description: 'The scheme of the credential. The service document does not show this header.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};
