import { stateIndex } from './lamp-field.ts';
import { peak, profile } from './light.ts';

/** GLSL of the night map. Light is kept as amounts (not sRGB) until it is blended onto the ground. */

const head = '#version 300 es\nprecision highp float;\n';

/** Columns of the lamp buffer; see LampGpu. `a_look` is state + 8 × selected + 16 × hidden. */
const lampInputs = `
layout(location=0) in vec2 a_position;
layout(location=1) in vec4 a_light;
layout(location=2) in float a_level;
layout(location=3) in float a_look;
uniform mat4 u_matrix;
bool hidden() { return a_look >= 16.0; }
vec4 nowhere() { return vec4(2.0, 2.0, 2.0, 1.0); }
`;

const glsl = (value: number): string => value.toFixed(6);

/**
 * A lamp into the small picture that the halos are blurred from: a Gaussian of one texel that adds up to its energy.
 */
export const splatVertex = `${head}${lampInputs}
uniform float u_margin;
uniform float u_scale;
out vec3 v_energy;
void main() {
  gl_PointSize = 5.0;
  float energy = a_light.a * max(a_level, 0.0) * 0.01;
  if (hidden() || energy <= 0.0) { gl_Position = nowhere(); return; }
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_Position.xy /= u_margin;
  v_energy = a_light.rgb * energy * u_scale;
}`;

export const splatFragment = `${head}
in vec3 v_energy;
out vec4 colour;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * 5.0;
  colour = vec4(v_energy * exp(-0.5 * dot(at, at)), 1.0);
}`;

/** Covers the target with one triangle; `v_uv` runs over the used part of the source. */
export const screenVertex = `${head}
uniform vec4 u_uv;
out vec2 v_uv;
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  v_uv = u_uv.xy + corner * u_uv.zw;
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

/** One direction of a Gaussian blur with linear taps; `u_step` is the distance of neighbouring taps. */
export const blurFragment = `${head}
in vec2 v_uv;
uniform sampler2D u_source;
uniform vec2 u_step;
uniform vec2 u_limit;
out vec4 colour;
void main() {
  vec3 sum = texture(u_source, v_uv).rgb;
  float weights = 1.0;
  for (int tap = 1; tap <= 6; tap++) {
    float weight = exp(-0.5 * float(tap * tap) / 4.0);
    vec2 offset = u_step * float(tap);
    sum += weight * (texture(u_source, min(v_uv + offset, u_limit)).rgb + texture(u_source, max(v_uv - offset, vec2(0.0))).rgb);
    weights += 2.0 * weight;
  }
  colour = vec4(sum / weights, 1.0);
}`;

/**
 * The three halos as one small picture: the glow in red, green and blue, and in alpha what is left of the ground below
 * it. The ground is drawn twice as bright as it should look in the dark, so that alpha from a half upwards lights it:
 * surfaces near lamps are lifted, the rest is as dark as the tokens say.
 */
export const sumFragment = `${head}
in vec2 v_uv;
uniform sampler2D u_near;
uniform sampler2D u_middle;
uniform sampler2D u_far;
uniform vec2 u_farRatio;
uniform float u_gain;
out vec4 colour;
void main() {
  vec3 wide = texture(u_middle, v_uv).rgb * ${glsl(profile.wide[1].weight)} + texture(u_far, v_uv * u_farRatio).rgb * ${glsl(profile.wide[2].weight)};
  vec3 light = (texture(u_near, v_uv).rgb * ${glsl(profile.wide[0].weight)} + wide) * u_gain;
  float lift = dot(wide, vec3(0.3, 0.5, 0.2)) * u_gain * 2.6;
  vec3 glow = 1.0 - exp(-0.9 * light);
  colour = vec4(glow, min(1.0, 0.5 + 0.5 * lift) * (1.0 - max(glow.r, glow.b)));
}`;

/** Lays that picture over the ground. */
export const layFragment = `${head}
in vec2 v_uv;
uniform sampler2D u_glow;
out vec4 colour;
void main() { colour = texture(u_glow, v_uv); }`;

/** The sharp core of a lamp. Screen blending over the halos is the soft shoulder: many lamps never burn out. */
export const coreVertex = `${head}${lampInputs}
uniform float u_size;
uniform float u_gain;
uniform float u_ghost;
out vec3 v_energy;
void main() {
  float energy = a_light.a * max(a_level, 0.0) * 0.01;
  if (energy <= 0.0 && !hidden()) { gl_Position = nowhere(); return; }
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_PointSize = u_size;
  v_energy = hidden() ? vec3(0.5, 0.56, 0.64) * u_ghost : a_light.rgb * energy * u_gain;
}`;

export const coreFragment = `${head}
in vec3 v_energy;
uniform float u_reach;
out vec4 colour;
void main() {
  vec2 at = (gl_PointCoord - 0.5) * 2.0 * u_reach;
  float r2 = dot(at, at);
  float light = ${profile.sharp.map((part) => `${glsl(peak(part))} * exp(${glsl(-0.5 / (part.sigma * part.sigma))} * r2)`).join(' + ')};
  vec3 sum = v_energy * light;
  colour = vec4(sum / (0.85 + sum), 0.0);
}`;

/** A lamp by day, from afar: a small shape in the colour of its state. */
export const dotVertex = `${head}${lampInputs}
uniform float u_size;
uniform vec3 u_colours[8];
out vec4 v_colour;
flat out int v_state;
void main() {
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_PointSize = u_size;
  v_state = int(mod(a_look, 8.0) + 0.5);
  v_colour = vec4(u_colours[v_state], hidden() ? 0.18 : 1.0);
}`;

/** A disc; what is off is hollow and what is dimmed half full, as far as the pixels of the dot can show it. */
export const dotFragment = `${head}
in vec4 v_colour;
flat in int v_state;
uniform float u_size;
out vec4 colour;
void main() {
  float edge = (0.5 - length(gl_PointCoord - 0.5)) * u_size;
  float room = smoothstep(4.0, 7.0, u_size);
  float inside = clamp(edge - max(1.1, u_size * 0.16), 0.0, 1.0) * room;
  if (v_state == ${stateIndex.dimmed}) inside *= step(0.5, gl_PointCoord.x);
  else if (v_state != ${stateIndex.off}) inside = 0.0;
  float cover = clamp(edge, 0.0, 1.0) * v_colour.a;
  vec3 tint = mix(v_colour.rgb, vec3(1.0), inside);
  colour = vec4(tint * cover, cover);
}`;

/**
 * State shapes from the atlas: one column a state, then the ring of the selected. `u_pass`: 0 the well, 1 the rest, 2
 * rings. `u_least`: size of what is not well but no alarm, in sizes of an alarm.
 */
export const shapeVertex = `${head}${lampInputs}
uniform float u_size;
uniform float u_pass;
uniform float u_worst[8];
uniform float u_least;
out float v_column;
void main() {
  float look = mod(a_look, 16.0);
  float selected = step(8.0, look);
  int state = int(mod(look, 8.0) + 0.5);
  bool exception = u_worst[state] > 0.0;
  bool wanted = u_pass > 1.5 ? selected > 0.5 : exception == (u_pass > 0.5);
  if (!wanted || (hidden() && u_pass < 1.5)) { gl_Position = nowhere(); return; }
  gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
  gl_PointSize = u_size * (u_pass > 1.5 ? 1.5 : u_pass < 0.5 ? 1.0 : u_worst[state] > 2.5 ? 1.333 : 1.333 * u_least);
  v_column = u_pass > 1.5 ? 7.0 : float(state);
}`;

export const shapeFragment = `${head}
in float v_column;
uniform sampler2D u_atlas;
out vec4 colour;
void main() {
  vec2 at = vec2((v_column + gl_PointCoord.x) / 8.0, gl_PointCoord.y);
  colour = texture(u_atlas, at);
}`;
