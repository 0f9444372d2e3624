import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A screen whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Screen, setScreen] = useState<ComponentType<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (Screen) return;
      void load().then((component) => {
        loaded = component;
        setScreen(() => component);
      });
    }, [Screen]);
    return Screen ? <Screen {...props} /> : <div class="screen" aria-busy="true" />;
  };
}
