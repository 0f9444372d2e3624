import type { ControlNameOf, ControlPath, ControlResponseOf } from '@svc/contract/control/types';
import { type ControlOptions, control } from './control.ts';
import { type Concerns, type Query, useQuery } from './query.ts';

/** Reads data from the control API for a view. Without a path, sends no request. */
export const useControl = <Path extends ControlPath<'GET'>>(
  path: Path | undefined,
  options: ControlOptions<'GET', Path>,
  concerns: Concerns,
): Query<ControlResponseOf<ControlNameOf<'GET', Path>>> =>
  useQuery(
    path && `${path} ${JSON.stringify(options)}`,
    () => control('GET', path as Path, ...([options] as never)),
    concerns,
  );
