/** The states of a profile, in the order in which responses list them. */
export const LIFECYCLE_STATES = ['new', 'active', 'at_risk', 'dormant', 'churned'] as const;

/** The possible reasons for an evaluation cycle. */
export const EVALUATION_TRIGGERS = ['schedule', 'request', 'calendar'] as const;

/** All possible reasons for a delivery's state. */
export const EXPLANATION_REASONS = [
  'delivered',
  'attempts_used_up',
  'endpoint_inactive',
  'endpoint_deleted',
  'in_flight',
  'scheduled',
  'clock_frozen',
  'not_delivering',
  'held_by_another_server',
  'endpoint_busy',
  'workspace_busy',
  'server_busy',
  'waiting_for_its_turn',
] as const;

/** The methods that a fault can match: the methods of all operations of the API. */
export const FAULT_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** The methods that a filter for the list of requests accepts. */
export const REQUEST_METHODS = [...FAULT_METHODS, 'PUT', 'HEAD', 'OPTIONS'] as const;

/** The kinds of resources that an id can belong to. */
export const FOUND_TYPES = [
  'organization',
  'workspace',
  'user',
  'webhook_endpoint',
  'webhook_secret',
  'webhook_delivery',
  'event',
  'profile',
  'api_key',
  'personal_access_token',
  'notification',
  'evaluation',
  'fault',
  'request',
] as const;

/** The pattern of a snapshot's name. */
export const SNAPSHOT_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';
