import type { ButtonHTMLAttributes } from 'preact';
import { Icon, type IconName } from './icons.tsx';
import { toast } from './toast.tsx';

/**
 * Shows a button that explains why it is unavailable: on hover, on a click or tap, and to screen readers. The button
 * does not use `disabled`, because the button must be able to receive focus.
 */
export function ActionButton({
  why,
  icon,
  onClick,
  type = 'button',
  children,
  ...rest
}: Omit<ButtonHTMLAttributes, 'onClick' | 'type' | 'disabled'> & {
  /** `undefined` if the button is available. */
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
