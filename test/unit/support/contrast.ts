/** The colors that an SVG paints with, as `#rgb` or `#rrggbb`. */
export function colorsOf(svg: string): string[] {
	return [...svg.matchAll(/\b(?:fill|stroke)="(#[0-9a-f]{3,6})"/g)].map(([, color = '']) => color);
}

function luminance(color: string): number {
	const digits = color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
		const share = parseInt(digits.slice(start, start + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colors by WCAG, from 1 to 21. */
export function contrast(one: string, other: string): number {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
}
