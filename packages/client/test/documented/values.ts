import type {
  DeliveryStatus,
  EventType,
  JsonValue,
  Open,
  OrganizationPermission,
  OtherThan,
  Role,
  Timestamp,
  WorkspacePermission,
} from '@svc/client';

// #region open
/** Editors suggest the known types. Types that the service adds later reach `default`. */
export function titleOf(type: Open<EventType>): string {
  switch (type) {
    case 'lifecycle.evaluated':
      return 'Evaluation finished';
    case 'webhook.endpoint.auto_disabled':
      return 'Endpoint disabled';
    case 'webhook.ping':
      return 'Test';
    default:
      return type;
  }
}
// #endregion open

// #region other
type Colour = { name: 'red'; warm: true } | { name: OtherThan<'red'>; hex: string };

/** Comparing with `red` narrows the union. Any other string compiles, too. */
export const hexOf = (colour: Colour): string => {
  if (colour.name === 'red') return '#ff0000';
  return colour.name === 'sky' ? '#87ceeb' : colour.hex;
};
// #endregion other

// #region timestamp
export const ageMs = (createdAt: Timestamp, now: Date): number => now.getTime() - Date.parse(createdAt);
// #endregion timestamp

// #region json
/** Returns a field of a body if the body is an object. */
export const fieldOf = (body: JsonValue, name: string): JsonValue | undefined =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? body[name] : undefined;
// #endregion json

// #region permissions
interface Membership {
  role: Open<Role>;
  permissions: Open<OrganizationPermission | WorkspacePermission>[];
}

const badges: Record<Role, string> = { Owner: '★', Admin: '☆', Viewer: '' };

/** Use the role for display only. Check permissions to decide what a caller may do. */
export const badgeOf = ({ role }: Membership): string => new Map(Object.entries(badges)).get(role) ?? '';

export const may = ({ permissions }: Membership, needed: OrganizationPermission | WorkspacePermission): boolean =>
  permissions.includes(needed);

export const mayRotateSecrets = (membership: Membership): boolean => may(membership, 'workspace:developer:write');
// #endregion permissions

// #region status
/** The compiler requires a label for each known status. */
const labels: Record<DeliveryStatus, string> = {
  pending: 'in progress',
  success: 'delivered',
  failed: 'failed after the last attempt',
  disabled: 'not sent, the endpoint is disabled',
};

export const labelOf = (status: Open<DeliveryStatus>): string => new Map(Object.entries(labels)).get(status) ?? status;
// #endregion status
