import { useId } from 'react';

/** The product's mark: a pole in ink, its light warm. */
export function Mark({ size = 26 }: { size?: number }) {
  const glow = useId();
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden focusable="false" style={{ flex: 'none' }}>
      <defs>
        <radialGradient id={glow}>
          <stop offset="0" stopColor="#ffb84d" stopOpacity=".95" />
          <stop offset=".35" stopColor="#ffb84d" stopOpacity=".38" />
          <stop offset="1" stopColor="#ffb84d" stopOpacity="0" />
        </radialGradient>
      </defs>
      <circle cx="17.5" cy="9.5" r="8.5" fill={`url(#${glow})`} />
      <path
        d="M7 24V10.5C7 6.5 9.5 4 13.5 4H16"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <circle cx="17.5" cy="9.5" r="2.7" fill="#ffb84d" />
    </svg>
  );
}
