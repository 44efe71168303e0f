"""The recipes in deploy/: each is read by the tool that reads it in production, where that can be had by a package."""

import json
import os
import re
import shutil
import subprocess
import sysconfig
import tomllib
from getpass import getuser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from compose_spec import PyCompose

from meetdeck.platform.settings import Settings, read_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm/meetdeck"
UNITS = ["meetdeck.service", "meetdeck-migrate.service", "meetdeck-backup.service"]
TIMER = "meetdeck-backup.timer"
GIVEN = {"publicUrl": "https://meetdeck.example.com/firm", "issuer": "https://login.example", "audience": "meetdeck"}
EVERYTHING = GIVEN | {
    "gotenbergUrl": "http://gotenberg:3000",
    "trustedProxies": ["10.0.0.0/8", "::1"],
    "settings": {"MEETDECK_QUOTA_TEMPLATES": "5", "AWS_REGION": "eu-north-1"},
    "imagePullSecrets": [{"name": "mirror"}],
    "secrets": {"mounted": "meetdeck-files"},
    "ingress": {"enabled": True, "className": "nginx", "annotations": {"a": "b"}, "tlsSecret": "certificate"},
    "serviceMonitor": {"enabled": True},
    "networkPolicy": {
        "from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}],
        "to": [{"to": [{"ipBlock": {"cidr": "10.1.0.0/16"}}], "ports": [{"port": 5432}]}],
    },
    "serviceAccount": {"annotations": {"role": "storage"}},
    "nodeSelector": {"disk": "fast"},
    "tolerations": [{"key": "only", "operator": "Exists"}],
    "podAnnotations": {"a": "b"},
}

_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*)|:?\?[^}]*)?\}")

Json = dict[str, Any]


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    return subprocess.run(  # noqa: S603 - tools of the lock, or the system's
        list(map(str, command)), env=os.environ | variables, capture_output=True, text=True, timeout=60, check=False
    )


def read_variables(file: Path) -> dict[str, str]:
    """Return the variables of a file of settings."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


# ------------------------------------------------------------------------------------------------------- the images


def test_hadolint_has_nothing_to_say_of_the_dockerfile() -> None:
    said = run(Path(sysconfig.get_path("scripts"), "hadolint"), "--no-color", DEPLOY / "Dockerfile")
    assert (said.returncode, said.stdout) == (0, ""), said.stdout + said.stderr


def test_chart_and_images_have_the_version_of_the_package() -> None:
    version = re.escape(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    for file, lines in {
        "helm/meetdeck/Chart.yaml": (rf"^version: {version}$", rf'^appVersion: "{version}"$'),
        "Dockerfile": (rf"image\.version={version} ",),
    }.items():
        text = (DEPLOY / file).read_text(encoding="utf-8")
        assert [line for line in lines if not re.search(line, text, re.MULTILINE)] == [], file


def test_images_of_others_are_named_without_a_registrys_host() -> None:
    images = re.findall(r"^ARG BASE=(\S+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    images += re.findall(r"image: \$\{\w+:-([^}]+)\}", (DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    images += [yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))["image"]["repository"]]
    assert len(images) == 7
    assert not [image for image in images if "." in image.partition("/")[0].partition(":")[0]]
    assert not [image for image in images if image.endswith(":latest")]


# ------------------------------------------------------------------------------------------------------- one machine


@pytest.fixture(params=["production", "test"])
def settings_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return an environment's settings for compose, filled in as the file says."""
    text = (DEPLOY / f"{request.param}.env.example").read_text(encoding="utf-8")
    filled = tmp_path / f"{request.param}.env"
    filled.write_text(
        re.sub(r"^(\w+)=$", rf"\1={'5eC'.join('07fa1b39d2')}", text, flags=re.MULTILINE), encoding="utf-8"
    )
    return filled


def read_composed(settings_file: Path) -> Json:
    """Return the file as compose reads it: variables replaced, what is shared put where it is named."""
    given = read_variables(settings_file)
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(_VARIABLE.sub(lambda found: given.get(found[1]) or found[2] or "", text))


def test_the_file_keeps_to_the_specification_of_compose(settings_file: Path) -> None:
    composed = PyCompose.from_json(json.dumps(read_composed(settings_file)))
    assert set(composed.service_names()) == {"proxy", "api", "migrate", "database", "files", "renderer"}
    with pytest.raises(ValueError, match="imag"):
        PyCompose.from_json('{"services": {"proxy": {"imag": "caddy"}}}')


def test_compose_itself_takes_the_file(settings_file: Path) -> None:
    docker = shutil.which("docker")
    if docker is None or run(docker, "compose", "version").returncode != 0:
        pytest.skip("there is no `docker compose` here")
    said = run(docker, "compose", "-f", DEPLOY / "compose.yaml", "--env-file", settings_file, "config", "--quiet")
    assert said.returncode == 0, said.stderr


def test_every_variable_of_the_compose_file_is_given_or_has_a_default(settings_file: Path) -> None:
    given = read_variables(settings_file)
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    required = {name for name, sign in re.findall(r"\$\{(\w+)(:?[?-]?)", text) if not sign.endswith("-")}
    assert required <= given.keys()
    assert given.keys() <= {*re.findall(r"\$\{(\w+)", text)}


def test_nothing_but_the_proxy_is_reached_from_outside_and_all_of_ours_is_hardened(settings_file: Path) -> None:
    composed = read_composed(settings_file)
    services: dict[str, Json] = composed["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert composed["networks"]["inside"]["internal"] is True
    assert {name for name, service in services.items() if "outside" in service["networks"]} == {"proxy", "api"}
    for name, service in services.items():
        assert "no-new-privileges:true" in service["security_opt"], name
        assert name == "database" or (service["read_only"], service["cap_drop"]) == (True, ["ALL"]), name
    owners = [name for name, service in services.items() if "MEETDECK_DATABASE_OWNER_URL" in service["environment"]]
    assert owners == ["migrate"]
    assert services["api"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    named = {name for service in services.values() for name in service["environment"] if name.startswith("MEETDECK_")}
    own = {f"MEETDECK_{name.upper()}" for name in Settings.model_fields}
    assert named - own == {"MEETDECK_HOST_NAME", "MEETDECK_TLS", "MEETDECK_OWNER_PASSWORD", "MEETDECK_APP_PASSWORD"}


# ----------------------------------------------------------------------------------------------------------- systemd


@pytest.fixture
def analyze() -> str:
    """Return systemd's program for looking at units; tests that use it are skipped where there is none."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("there is no systemd-analyze here")
    return found


def test_systemd_understands_the_units(analyze: str, tmp_path: Path) -> None:
    programs = dict.fromkeys(UNITS, "/opt/meetdeck/bin/meetdeck") | {"ha/patroni.service": "/opt/patroni/bin/patroni"}
    units = [tmp_path / Path(name).name for name in [*programs, TIMER]]
    for name, program in programs.items():
        unit = (DEPLOY / name).read_text(encoding="utf-8")
        assert program in unit  # it is not there, and `verify` looks
        (tmp_path / Path(name).name).write_text(unit.replace(program, "/bin/true"), encoding="utf-8")
    shutil.copy(DEPLOY / TIMER, tmp_path)
    said = run(analyze, "verify", "--man=no", *units)
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize(("name", "most"), [*zip(UNITS, [29, 13, 13], strict=True)])
def test_the_units_expose_little(name: str, most: int, analyze: str) -> None:
    """The service's jails for LibreOffice need namespaces and mounts, which is most of what is left."""
    said = run(analyze, "security", "--offline=true", f"--threshold={most}", DEPLOY / name)
    assert said.returncode == 0, said.stdout[-400:] + said.stderr


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder like / with the settings, and in place of the program one that prints its arguments."""
    program = tmp_path / "opt/meetdeck/bin/meetdeck"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$MEETDECK_DATA_DIR: $*"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "etc/meetdeck").mkdir(parents=True)
    (tmp_path / "etc/meetdeck/meetdeck.env").touch()
    return tmp_path


def test_the_script_for_root_runs_from_cron_which_has_a_short_path(installed: Path) -> None:
    script = (DEPLOY / "meetdeck.sh").read_text(encoding="utf-8").replace("-u meetdeck ", f"-u {getuser()} ")
    script = re.sub(r"(?<= )/(etc|opt)/", rf"{installed}/\1/", script)
    said = run("env", "-i", "PATH=/usr/bin:/bin", "HOME=/root", "sh", "-c", script, "meetdeck", "backup", "x.tar.gz")
    if os.geteuid() == 0:
        assert (said.stdout, said.stderr) == ("/var/lib/meetdeck: backup x.tar.gz\n", "")
    else:  # runuser is found, and is for root alone
        assert "non-root" in said.stderr


def test_the_timer_starts_a_backup_named_by_its_day(installed: Path) -> None:
    unit = (DEPLOY / "meetdeck-backup.service").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    command = command.replace("%%", "%").replace("$$", "$").replace("/opt/", f"{installed}/opt/")
    said = run("env", "-i", "PATH=/usr/bin:/bin", "MEETDECK_DATA_DIR=data", "sh", "-c", command)
    expected = r"data: backup /var/backups/meetdeck/\d{4}-\d\d-\d\d\.tar\.gz --keep 14\n"
    assert re.fullmatch(expected, said.stdout), said


def test_the_guide_installs_every_unit() -> None:
    page = (DEPLOY.parent / "docs/operations/install.md").read_text(encoding="utf-8")
    for name in [*UNITS, TIMER]:
        assert re.search(rf"^install -m 0644 .*\bdeploy/{re.escape(name)} ", page, re.MULTILINE), name


def test_the_example_of_settings_starts_in_production(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in read_variables(DEPLOY / "meetdeck.env.example").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MEETDECK_ENCRYPTION_KEY", "1f8ac10f23c5b5bc1167bda84b833e5c9d47e06ab2f3581c7e64d09a35b8f217")
    assert read_settings().environment == "production"


# -------------------------------------------------------------------------------------------------------- Kubernetes

needs_helm = pytest.mark.skipif(find_spec("helm_python") is None, reason="Helm's package is for Linux on x86-64")


def render(values: Json) -> list[Json]:
    """Return the manifests that Helm itself makes of the chart."""
    import helm_python  # noqa: PLC0415  # pyright: ignore[reportMissingImports] - not on every machine

    rendered = helm_python.Chart.load(CHART).render(values, name="nordlys", namespace="advice")
    texts = [text for name, text in sorted(rendered.items()) if name.endswith(".yaml")]
    return [manifest for text in texts for manifest in yaml.safe_load_all(text) if manifest]


@needs_helm
@pytest.mark.parametrize("values", [GIVEN, EVERYTHING, GIVEN | {"autoscaling": {"enabled": False}}])
def test_the_manifests_are_ones_that_kubernetes_takes(values: Json) -> None:
    import kubernetes_validate  # noqa: PLC0415 - half a second, for these alone

    manifests = render(values)
    kinds = {manifest["kind"] for manifest in manifests}
    assert {"Deployment", "Job", "Service", "ServiceAccount", "NetworkPolicy", "PodDisruptionBudget"} <= kinds
    assert ("HorizontalPodAutoscaler" in kinds) is values.get("autoscaling", {}).get("enabled", True)
    for manifest in manifests:
        if manifest["kind"] != "ServiceMonitor":  # Prometheus's, and no part of Kubernetes
            for version in ("1.28", "1.34"):
                kubernetes_validate.validate(manifest, version, strict=True)


@needs_helm
def test_helm_finds_no_fault_in_the_chart() -> None:
    import helm_python  # noqa: PLC0415  # pyright: ignore[reportMissingImports] - not on every machine

    said = helm_python.lint(CHART, values=EVERYTHING, strict=True)
    assert not said["errors"]
    assert [message["error"] for message in said["messages"]] == ["icon is recommended"]


@needs_helm
@pytest.mark.parametrize(
    "wrong",
    [
        {"publicUrl": "meetdeck.example.com"},
        {"storageUrl": "file:///data"},
        {"settings": {"MEETDECK_ENCRYPTION_KEY": "00"}},
        {"settings": {"MEETDECK_QUOTA_TEMPLATES": 5}},
        {"trustedProxies": ["proxy.example"]},
        {"replica": 3},
    ],
)
def test_values_that_make_no_sense_are_refused(wrong: Json) -> None:
    import helm_python  # noqa: PLC0415  # pyright: ignore[reportMissingImports] - not on every machine

    chart = helm_python.Chart.load(CHART)
    chart.validate_schema(chart.merge_values(GIVEN))
    with pytest.raises(helm_python.HelmError):
        chart.validate_schema(chart.merge_values(GIVEN | wrong))


@needs_helm
def test_pods_have_no_rights_and_no_secret_in_the_open() -> None:
    manifests = render(EVERYTHING)
    for manifest in manifests:
        if manifest["kind"] not in {"Deployment", "Job"}:
            continue
        pod = manifest["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        assert {*mounts} == {"/data", "/tmp", "/run/secrets/meetdeck"}  # noqa: S108 - a mount
        (secrets,) = [volume for volume in pod["volumes"] if volume["name"] == mounts["/run/secrets/meetdeck"]]
        assert secrets["secret"]["secretName"] == "meetdeck-files"
        assert not [each["name"] for each in container["env"] if re.search("KEY|SECRET|DATABASE", each["name"])]
    assert not [manifest for manifest in manifests if manifest["kind"] == "Secret"]


@needs_helm
def test_a_migration_runs_before_each_version_and_it_alone_reads_the_owners_address() -> None:
    found = {manifest["kind"]: manifest for manifest in render(GIVEN)}
    job, deployment = found["Job"], found["Deployment"]
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    reads = {
        kind: [
            source["secretRef"]["name"] for source in manifest["spec"]["template"]["spec"]["containers"][0]["envFrom"]
        ]
        for kind, manifest in (("job", job), ("deployment", deployment))
    }
    assert reads == {"job": ["meetdeck", "meetdeck-owner"], "deployment": ["meetdeck"]}
    probes = deployment["spec"]["template"]["spec"]["containers"][0]
    paths = {name: probes[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "liveness", "readiness")}
    assert paths == {"startup": "/health/live", "liveness": "/health/live", "readiness": "/health/ready"}


@needs_helm
def test_the_ingress_leads_below_the_public_address_and_not_to_what_is_for_operators() -> None:
    (ingress,) = [manifest for manifest in render(EVERYTHING) if manifest["kind"] == "Ingress"]
    (rule,) = ingress["spec"]["rules"]
    paths = [path["path"] for path in rule["http"]["paths"]]
    assert rule["host"] == "meetdeck.example.com"
    assert "/firm/api" in paths
    assert all(path.startswith("/firm/") for path in paths)
    assert not [path for path in paths if "metrics" in path or "health" in path]
