import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icons.tsx';
import { toast } from './toast.tsx';

/**
 * An unavailable button says why: on hover, to a screen reader, and when somebody clicks, taps or presses it. The
 * button has no attribute `disabled`, because it must be able to receive the focus.
 */
export function ActionButton({
  why,
  icon,
  onClick,
  type = 'button',
  children,
  ...rest
}: Omit<ButtonHTMLAttributes, 'onClick' | 'type' | 'disabled'> & {
  /** Why the button is unavailable. */
  why?: string | undefined;
  icon?: IconName;
  onClick?: (() => unknown) | undefined;
  type?: 'button' | 'submit';
}) {
  return (
    <button
      {...rest}
      type={type}
      {...(why !== undefined && { 'aria-disabled': true, title: why })}
      onClick={(event) => {
        if (event.currentTarget.ariaDisabled !== 'true') return void onClick?.();
        event.preventDefault();
        toast(why ?? '', { tone: 'waiting' });
      }}
    >
      {icon && <Icon name={icon} size={14} />}
      {children}
    </button>
  );
}
