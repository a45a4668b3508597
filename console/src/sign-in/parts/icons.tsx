/** @jsxImportSource preact */
const paths = {
  globe:
    'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 2 2.500 4 2.500 6S10 12 8 14M8 2C6 4 5.500 6 5.500 8S6 12 8 14',
  down: 'm4 6.200 4 4 4-4',
  user: 'M8 2.500a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600zM2.800 14c.4-3 2.400-4.300 5.200-4.300s4.800 1.300 5.200 4.300',
  lock: 'M4 7.500h8V14H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  shield: 'M8 1.800 13 3.600v4C13 11 11 13.200 8 14.200 5 13.200 3 11 3 7.600v-4z',
  eye: 'M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  eyeOff:
    'M6.300 3.700A6 6 0 0 1 8 3.500c4 0 6.500 4.500 6.500 4.500a11 11 0 0 1-1.900 2.400M4 4.900A11 11 0 0 0 1.500 8S4 12.500 8 12.500a6 6 0 0 0 2.900-.7M2.500 2.500l11 11',
  warning: 'M8 2.200 14.500 13.500h-13zM8 6.500v3.200M8 11.700v.1',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.300v3.700M8 5v.1',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.200v9.600L12.500 8z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.300"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
