import { init, type CustomSeriesRenderItem, type EChartsCoreOption } from 'echarts';
import { number, type Spread } from './statistics';

export interface BarSeries {
	name: string;
	/** One value for each group. The bar shows the median, the whisker the range. */
	values: Spread[];
}

export interface PointSeries {
	name: string;
	values: number[];
}

interface Common {
	/** The name of its files. */
	name: string;
	title: string;
	unit: string;
}

export type Chart =
	| (Common & { kind: 'bars'; groups: string[]; series: BarSeries[] })
	| (Common & { kind: 'points'; series: PointSeries[] });

export type Theme = 'light' | 'dark';

const themes = {
	light: { text: '#1f2328', faint: '#d1d9e0', colours: ['#54aeff', '#eac54f', '#c297ff'] },
	dark: { text: '#f0f6fc', faint: '#3d444d', colours: ['#1f6feb', '#9e6a03', '#8957e5'] },
};

const WIDTH = 840;
const ROW_PX = 26;

/** The chart as an SVG document with a transparent background. */
export function draw(chart: Chart, theme: Theme): string {
	const rows =
		chart.kind === 'bars'
			? chart.groups.length * (chart.series.length + 0.6)
			: chart.series.length * 2;
	const drawing = init(null, null, {
		renderer: 'svg',
		ssr: true,
		width: WIDTH,
		height: Math.round(110 + rows * ROW_PX),
	});
	drawing.setOption({
		...frame(chart, theme),
		...(chart.kind === 'bars' ? bars(chart, theme) : points(chart, theme)),
	});
	const svg = drawing.renderToSVGString();
	drawing.dispose();
	return `${svg}\n`;
}

function frame({ kind, title, unit, series }: Chart, theme: Theme): EChartsCoreOption {
	const { text, faint, colours } = themes[theme];
	const hasLegend = kind === 'bars' && series.length > 1;
	return {
		animation: false,
		color: colours,
		textStyle: { fontFamily: 'sans-serif', color: text },
		title: { text: title, left: 0, top: 0, padding: 4, textStyle: { fontSize: 15, color: text } },
		legend: {
			show: hasLegend,
			top: 32,
			left: 0,
			textStyle: { color: text },
			data: series.map(({ name }) => name),
		},
		grid: { left: 8, right: 60, top: hasLegend ? 66 : 40, bottom: 30, containLabel: true },
		xAxis: {
			type: 'value',
			min: 0,
			name: unit,
			nameTextStyle: { color: text },
			axisLabel: {
				color: text,
				formatter: (value: number) => number(value, value % 1 === 0 ? 0 : 2),
			},
			splitLine: { lineStyle: { color: faint } },
		},
	};
}

function names(data: string[], theme: Theme) {
	const { text, faint } = themes[theme];
	return {
		type: 'category',
		inverse: true,
		data,
		axisLabel: { color: text },
		axisLine: { lineStyle: { color: faint } },
		axisTick: { show: false },
	};
}

/** Bars and whiskers must have the same gaps. */
const GAPS = { barGap: '10%', barCategoryGap: '30%' };

function bars(
	{ groups, series }: Extract<Chart, { kind: 'bars' }>,
	theme: Theme,
): EChartsCoreOption {
	const most = Math.max(...series.flatMap(({ values }) => values.map(({ max }) => max)));
	const digits = most < 10 ? 2 : most < 1_000 ? 1 : 0;
	return {
		yAxis: names(groups, theme),
		series: series.flatMap(({ name, values }, place) => [
			{ type: 'bar', name, ...GAPS, data: values.map(({ median }) => median) },
			{
				type: 'custom',
				name,
				silent: true,
				z: 3,
				data: values.map(({ min, max, median }, group) => [group, min, max, median]),
				encode: { y: 0, x: [1, 2] },
				renderItem: drawWhisker({ place, of: series.length, colour: themes[theme].text, digits }),
			},
		]),
	};
}

/** A line from the minimum to the maximum in the middle of its bar, with the median beside it. */
function drawWhisker({
	place,
	of,
	colour,
	digits,
}: {
	place: number;
	of: number;
	colour: string;
	digits: number;
}): CustomSeriesRenderItem {
	return (_params, api) => {
		const layout = api.barLayout?.({ count: of, ...GAPS })?.[place];
		const [fromX = 0, y = 0] = api.coord([api.value(1), api.value(0)]);
		const [toX = 0] = api.coord([api.value(2), api.value(0)]);
		const middle = y + (layout?.offsetCenter ?? 0);
		const line = (x1: number, y1: number, x2: number, y2: number) => ({
			type: 'line' as const,
			shape: { x1, y1, x2, y2 },
			style: { stroke: colour, lineWidth: 1.5 },
		});
		const ends = [fromX, toX].map((x) => line(x, middle - 4, x, middle + 4));
		const median = {
			type: 'text' as const,
			style: {
				text: number(Number(api.value(3)), digits),
				x: toX + 6,
				y: middle,
				fill: colour,
				verticalAlign: 'middle' as const,
				font: '12px sans-serif',
			},
		};
		return {
			type: 'group',
			children: fromX === toX ? [median] : [line(fromX, middle, toX, middle), ...ends, median],
		};
	};
}

function points({ series }: Extract<Chart, { kind: 'points' }>, theme: Theme): EChartsCoreOption {
	return {
		yAxis: names(
			series.map(({ name }) => name),
			theme,
		),
		series: series.map(({ name, values }) => ({
			type: 'scatter',
			name,
			symbolSize: 9,
			itemStyle: { opacity: 0.85, borderColor: themes[theme].text, borderWidth: 0.75 },
			data: values.map((value) => [value, name]),
		})),
	};
}
