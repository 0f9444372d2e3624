import type { Open, OrganizationId, OrganizationPermission, Role } from '@svc/contract';
import type { Expanded, ExpandOf, Expansions } from '../expand.ts';
import type { List } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { ListParams } from '../params.ts';

/**
 * An organization that the caller belongs to, without the fields that `expand` adds.
 *
 * {@includeCode ../../test/documented/expand.ts#expand}
 */
export interface Organization {
  id: OrganizationId;
  slug: string;
  name: string;
  /** The absolute URL of a picture, or null if the organization has no picture. */
  logo: string | null;
  /** The caller's role in the organization. */
  role: Open<Role>;
  /** The caller's effective permissions in the organization. */
  permissions: Open<OrganizationPermission>[];
}

/**
 * An organization with the fields that `expand: Names` adds.
 *
 * {@includeCode ../../test/documented/expand.ts#expand}
 */
export type ExpandedOrganization<Names extends ExpandOf<'listOrganizations'>> = Expanded<
  Organization,
  Expansions['listOrganizations'],
  Names
>;

/**
 * Parameters of the list of organizations.
 *
 * {@includeCode ../../test/documented/expand.ts#expand}
 */
export interface ListOrganizationsParams extends ListParams {
  /** The names of the fields to add to each organization. The type of the items depends on these names. */
  expand?: ExpandOf<'listOrganizations'>;
}

/**
 * Lists organizations.
 *
 * {@includeCode ../../test/documented/expand.ts#expand}
 */
export interface ListOrganizations {
  /** Lists the organizations that the user belongs to, as a single page. */
  (params?: ListParams & { expand?: undefined }, options?: CallOptions): List<Organization>;
  /** Lists the organizations that the user belongs to, with the fields that `expand` names. */
  <const Names extends ExpandOf<'listOrganizations'>>(
    params: ListParams & { expand: Names },
    options?: CallOptions,
  ): List<ExpandedOrganization<Names>>;
  /** Lists the organizations that the user belongs to, for an `expand` that is known only at run time. */
  (params?: ListOrganizationsParams, options?: CallOptions): List<ExpandedOrganization<Dynamic>>;
  /** Continues from a stored page URL. `expand` must be the same as in the call that returned the URL. */
  resume<const Names extends ExpandOf<'listOrganizations'> = undefined>(
    url: string,
    options?: CallOptions & { expand?: Names },
  ): List<ExpandedOrganization<Names>>;
}

/**
 * Operations on the organizations of the user.
 *
 * {@includeCode ../../test/documented/expand.ts#expand}
 */
export interface OrganizationOperations {
  list: ListOrganizations;
}

type Dynamic = NonNullable<ExpandOf<'listOrganizations'>>;
