/** GLSL of the close-up: one instance a lamp in view, a quad of four corners around its pool of light. Lengths in metres. */

/** Half the length along the road, half the width, and how far the pool's middle lies from the foot towards the road. */
export const pool = { along: 23, across: 13, offset: 5.5 } as const;

export const poolVertex = `#version 300 es
precision highp float;
layout(location=0) in vec2 a_position;
layout(location=1) in vec3 a_lean;
layout(location=2) in vec4 a_light;
uniform mat4 u_matrix;
uniform float u_metre;
uniform vec3 u_pool;
out vec2 v_corner;
out vec2 v_at;
flat out vec4 v_light;
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 normal = vec2(-a_lean.y, a_lean.x) * (a_lean.z == 0.0 ? 1.0 : a_lean.z);
  float reach = 0.72 + 0.28 * min(1.4, a_light.a < 0.0 ? -a_light.a : a_light.a);
  vec2 at = corner * u_pool.xy * reach + vec2(0.0, a_lean.z == 0.0 ? 0.0 : u_pool.z * reach);
  gl_Position = u_matrix * vec4(a_position + (a_lean.xy * at.x + normal * at.y) * u_metre, 0.0, 1.0);
  v_corner = corner;
  v_at = at;
  v_light = a_light;
}`;

/** Light on the ground, and the glow around the lamp's head. `u_gain`: of the pool; `u_head`: of the glow. */
export const poolFragment = `#version 300 es
precision highp float;
in vec2 v_corner;
in vec2 v_at;
flat in vec4 v_light;
uniform float u_gain;
uniform float u_head;
uniform float u_arm;
out vec4 colour;
void main() {
  float energy = max(v_light.a, 0.0);
  float r2 = dot(v_corner, v_corner);
  float edge = exp(-3.4);
  float light = max(0.0, exp(-3.4 * r2) - edge) / (1.0 - edge);
  vec2 head = v_at - vec2(0.0, u_arm);
  float glow = exp(-dot(head, head) / 2.6) * u_head;
  vec3 sum = v_light.rgb * energy * (light * u_gain + glow);
  colour = vec4(sum / (0.9 + sum), 0.0);
}`;

/** The mast from above: its foot, its arm towards the road, its head. `u_pixel`: metres of one pixel; `u_lit`: 1 where a lit head shines, 0 by day. */
export const mastFragment = `#version 300 es
precision highp float;
in vec2 v_at;
flat in vec4 v_light;
uniform float u_arm;
uniform float u_pixel;
uniform float u_alpha;
uniform float u_lit;
uniform vec3 u_metal;
uniform vec3 u_rim;
out vec4 colour;
float capsule(vec2 from, vec2 to, float radius) {
  vec2 line = to - from;
  float share = clamp(dot(v_at - from, line) / dot(line, line), 0.0, 1.0);
  return length(v_at - from - line * share) - radius;
}
void main() {
  float thin = max(0.14, 0.8 * u_pixel);
  float foot = length(v_at) - max(0.5, 2.2 * u_pixel);
  float arm = capsule(vec2(0.0), vec2(0.0, u_arm), thin);
  float head = capsule(vec2(0.0, u_arm - 0.25), vec2(0.0, u_arm + 0.55), max(0.34, 1.3 * u_pixel));
  float body = min(min(foot, arm), head);
  float inside = clamp(0.5 - body / u_pixel, 0.0, 1.0);
  float rim = clamp(1.5 - body / u_pixel, 0.0, 1.0) * 0.7;
  float lit = u_lit * v_light.a > 0.0 ? clamp(0.5 - head / u_pixel, 0.0, 1.0) : 0.0;
  vec3 tint = mix(u_metal, mix(v_light.rgb, vec3(1.0), 0.35), lit * clamp(0.35 + v_light.a, 0.0, 1.0));
  float cover = max(inside, rim) * u_alpha;
  colour = vec4(mix(u_rim, tint, inside) * cover, cover);
}`;
