"""Prints the slices of each track of a Perfetto trace that protoc --decode made text of: slices.py FILE."""
import re
import sys


def parse(lines):
    """A message in protobuf's text form as a list of (field, value or message)."""
    message = []
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith("{"):
            message.append((line[:-2], parse(lines)))
        else:
            field, _, value = line.partition(": ")
            message.append((field, value.strip('"')))
    return message


def get(message, field, default=None):
    return next((value for name, value in message if name == field), default)


tracks, names, keys, events = {}, {}, {}, []
for _, packet in parse(iter(open(sys.argv[1]))):
    sequence = get(packet, "trusted_packet_sequence_id")  # has names of its own
    for kind, table in (("event_names", names), ("debug_annotation_names", keys)):
        for field, entry in get(packet, "interned_data", []):
            if field == kind:
                table[sequence, get(entry, "iid")] = get(entry, "name")
    if descriptor := get(packet, "track_descriptor"):
        tracks[get(descriptor, "uuid")] = (get(descriptor, "name"), get(descriptor, "parent_uuid"))
    if event := get(packet, "track_event"):
        events.append((int(get(packet, "timestamp")), sequence, event))


def path(uuid):
    name, parent = tracks[uuid]
    return (path(parent) + "/" if parent else "") + name


shown = {}
for at, sequence, event in sorted(events, key=lambda entry: entry[0]):  # stable, as Perfetto sorts
    track, kind = get(event, "track_uuid"), get(event, "type")
    lines, stack, samples = shown.setdefault(track, ([], [], []))
    notes = "".join(f" {keys[sequence, get(note, 'name_iid')]}={get(note, 'uint_value')}" for field, note in event if field == "debug_annotations")
    notes += "".join(f" flow {value}" for field, value in event if field == "flow_ids")
    notes += "".join(f" flow {value} ends" for field, value in event if field == "terminating_flow_ids")
    if kind == "TYPE_SLICE_BEGIN":
        stack.append(len(lines))
        lines.append([len(stack), names[sequence, get(event, "name_iid")], f"{at}..", notes])
    elif kind == "TYPE_SLICE_END":
        lines[stack.pop()][2] += str(at)
    elif kind == "TYPE_INSTANT":
        lines.append([1, names[sequence, get(event, "name_iid")], str(at), notes])
    else:
        samples.append((at, float(get(event, "double_counter_value"))))
for track in sorted(shown, key=path):
    lines, stack, samples = shown[track]
    print(path(track))
    assert not stack, "a slice has no end"
    for depth, *words in lines:
        print("  " * depth + " ".join(words[:2]) + words[2])
    if samples:
        area = sum(value * (end - begin) for (begin, value), (end, _) in zip(samples, samples[1:]))
        print(f"  peak {max(value for _, value in samples):g} mean {area / 1500:.2f}")
